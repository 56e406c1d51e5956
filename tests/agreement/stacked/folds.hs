-- SPDX-License-Identifier: GPL-2.0-only
-- Laziness: its stack is not the processor's.
import qualified Data.Map.Strict as Map
import Data.List (foldl')

count :: Int -> Map.Map Int Int
count n = foldl' (\counts i -> Map.insertWith (+) (i * i `mod` 97) i counts) Map.empty [1 .. n]

main :: IO ()
main = mapM_ (\n -> Map.size (count (n `mod` 500)) `seq` return ()) [1 ..]
