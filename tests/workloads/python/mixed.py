# SPDX-License-Identifier: GPL-2.0-only
"""
mixed.py SECONDS: Python that is called by C that is called by Python, in many ways, in two threads. Tells at the
end which chains there were with spin() innermost, and between which two functions C code lies, and of which library,
if it is not the interpreter's.
"""

import asyncio
import ctypes
import functools
import json
import re
import sys
import threading

import truth

chains = set()
number_spun = 0


def leaf():
    """Its callers are what is tested."""
    global number_spun
    here = [(truth.name_of(truth.spin.__code__), "truth.py")]
    here += [tuple(one) for one in truth.chain_of(sys._getframe(0))]
    chains.add(tuple(here))
    number_spun += 1
    truth.spin(0.003)


# C code between these, as samples should have it.
native = []


def between(inner, outer, library=None):
    native.append([truth.name_of(inner.__code__), truth.name_of(outer.__code__), library])


def key_of(value):
    leaf()
    return -value


def through_sorted():
    return sorted([1], key=key_of)


between(key_of, through_sorted)


def replace(match):
    leaf()
    return match[0]


def through_re():
    return re.sub("b", replace, "abc")


between(replace, re.sub)


def hook(value):
    leaf()
    return value


def through_json():
    return json.loads('{"one": 1}', object_hook=hook)


between(hook, json.JSONDecoder.raw_decode)

COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))


def compare(one, other):
    leaf()
    return one[0] - other[0]


compare_in_c = COMPARE(compare)
c_library = ctypes.CDLL(None)


def through_qsort():
    numbers = (ctypes.c_int * 2)(2, 1)
    c_library.qsort(numbers, 2, ctypes.sizeof(ctypes.c_int), compare_in_c)


between(compare, through_qsort, "libc")


def add(total, value):
    leaf()
    return total + value


def through_reduce():
    return functools.reduce(add, [1, 2])


between(add, through_reduce)


def produce(number):
    for i in range(number):
        leaf()
        yield i


def produce_more(number):
    yield from produce(number)


def through_generators():
    return sum(produce_more(2))


between(produce_more, through_generators)


def raise_deep(depth):
    if not depth:
        raise ValueError(depth)
    try:
        raise_deep(depth - 1)
    except ValueError:
        if depth == 2:
            leaf()
        raise


def through_exceptions():
    try:
        raise_deep(5)
    except ValueError:
        leaf()
    finally:
        leaf()


class Shape:
    def __init__(self, size):
        self.size = size

    def area(self):
        leaf()
        return self.size * self.size

    @property
    def width(self):
        leaf()
        return self.size

    @staticmethod
    def unit():
        leaf()
        return 1

    @classmethod
    def make(cls):
        leaf()
        return cls(2)

    def __lt__(self, other):
        leaf()
        return self.size < other.size

    class Part:
        def weigh(self):
            leaf()


def through_class():
    shape = Shape.make()
    sizes = shape.area() + shape.width + Shape.unit()
    Shape.Part().weigh()
    return sizes


def through_comparison():
    return max(Shape(1), Shape(2))


between(Shape.__lt__, through_comparison)


def counted(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@counted
def decorated():
    leaf()


def through_decorator():
    decorated()
    (lambda: leaf())()
    return [leaf() for _ in range(2)]


def through_eval():
    exec("for _ in range(2): leaf()\n", globals())
    return eval("leaf()")


native.append(["<module>", "through_eval", None])


async def coroutine(depth):
    if depth:
        return await coroutine(depth - 1)
    await asyncio.sleep(0)
    leaf()
    return depth


async def gather():
    return await asyncio.gather(*(coroutine(3) for _ in range(2)))


def through_asyncio():
    return asyncio.run(gather())


def recurse(depth):
    return recurse(depth - 1) if depth else leaf()


def through_recursion():
    return recurse(20)


SHAPES = [one for name, one in sorted(globals().items()) if name.startswith("through_")]


def work(end):
    while not truth.past(end):
        for shape in SHAPES:
            shape()


def main():
    end = truth.begin()
    thread = threading.Thread(target=work, args=(end,))
    thread.start()
    truth.ready()
    work(end)
    thread.join()
    truth.tell(chains=sorted(chains), native=native, spun=number_spun)


main()
