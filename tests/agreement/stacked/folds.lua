-- SPDX-License-Identifier: GPL-2.0-only
-- Numbers, tables, strings, callbacks out of C.
local function leaf(n)
	for i = 1, 10 do n = (n * 31 + i) % 65521 end
	return n
end
local function descend(depth, n)
	if depth == 0 then return leaf(n) end
	return descend(depth - 1, n) + 1
end
local n = 0
while true do
	n = n + 1
	local numbers = {}
	for i = 1, 30 do numbers[i] = descend(i % 5, n + i) end
	table.sort(numbers, function(a, b) return leaf(a) < leaf(b) end)
	local text = string.gsub("a b c", "%w", function(word) return word .. n % 7 end)
	n = n + #text % 2
end
