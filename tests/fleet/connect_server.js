// SPDX-License-Identifier: GPL-2.0-only
//
// connect_server.js DESCRIPTORS LOG: Pyroscope's Push by the official implementation of the Connect protocol, on a
// port of 127.0.0.1 that it prints. DESCRIPTORS: protoc's, of push.proto and of pprof's profile.proto. LOG gets a
// line of JSON for each call. It fails at first as the protocol has it: unavailable, then exhausted, then well.

"use strict";
const fs = require("fs");
const http = require("http");
const zlib = require("zlib");
const { createFileRegistry, fromBinary } = require("@bufbuild/protobuf");
const { FileDescriptorSetSchema } = require("@bufbuild/protobuf/wkt");
const { Code, ConnectError } = require("@connectrpc/connect");
const { connectNodeAdapter } = require("@connectrpc/connect-node");

const [descriptors, log] = process.argv.slice(2);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, fs.readFileSync(descriptors)));
const service = registry.getService("push.v1.PusherService");
const Profile = registry.getMessage("pprof.Profile");
const failures = [
	["unavailable", () => new ConnectError("not yet", Code.Unavailable)],
	["exhausted", () => new ConnectError("too much", Code.ResourceExhausted, { "Retry-After": "1" })],
];

function countSamples(bytes) {
	const profile = fromBinary(Profile, zlib.gunzipSync(bytes));
	const string = (index) => Buffer.from(profile.stringTable[Number(index)]).toString();
	const type = profile.sampleType.findIndex((one) => string(one.typeStr) === "samples");
	return profile.sample.reduce((sum, sample) => sum + Number(sample.value[type]), 0);
}

function push(request, context) {
	const [name, fail] = failures.shift() || ["taken", null];
	const entry = { name, samples: 0, ids: [], labels: [], type: context.requestHeader.get("content-type") };
	for (const series of request.series) {
		entry.labels.push(Object.fromEntries(series.labels.map((label) => [label.name, label.value])));
		for (const sample of series.samples) {
			entry.samples += countSamples(sample.rawProfile);
			entry.ids.push(sample.ID);
		}
	}
	fs.appendFileSync(log, JSON.stringify(entry) + "\n");
	if (fail)
		throw fail();
	return {};
}

const server = http.createServer(connectNodeAdapter({ routes: (router) => router.service(service, { push }) }));
server.listen(0, "127.0.0.1", () => console.log(`ready ${server.address().port}`));
