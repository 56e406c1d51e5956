(* SPDX-License-Identifier: GPL-2.0-only *)
(* Closures, exceptions, the collector, calls of C and back. *)
exception Found of int

let rec build depth = if depth = 0 then [] else depth :: build (depth - 1)

let search wanted numbers =
  try
    List.iter (fun n -> if n * n > wanted then raise (Found n)) numbers;
    0
  with Found n -> n

let words n =
  let table = Hashtbl.create 16 in
  for i = 0 to 50 do
    Hashtbl.replace table (string_of_int (i mod 7 + n)) i
  done;
  Hashtbl.fold (fun _ n sum -> n + sum) table 0

let () =
  let n = ref 0 in
  while true do
    incr n;
    let numbers = build (!n mod 40) in
    let sorted = List.sort compare numbers in
    ignore (Sys.opaque_identity (List.fold_left ( + ) (search !n sorted) sorted + words !n))
  done
