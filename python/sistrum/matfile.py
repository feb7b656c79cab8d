"""Matlab files of version 5, as far as the program writes them, compressed or not. scipy reads far more, and crashes on
damaged ones."""

from __future__ import annotations

import struct
import zlib
from typing import Any, Dict, Iterator, List, Tuple, Union

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

HEADER = 128  # bytes before the first element
MATRIX, COMPRESSED = 14, 15  # kinds of elements
NUMBERS = {1: "i1", 2: "u1", 3: "<i2", 4: "<u2", 5: "<i4", 6: "<u4", 7: "<f4", 9: "<f8", 12: "<i8", 13: "<u8"}
TEXTS = {1: "ascii", 2: "latin-1", 4: "utf-16-le", 16: "utf-8", 17: "utf-16-le", 18: "utf-32-le"}
CELL, CHAR, DOUBLE = 1, 4, 6  # classes of variables; numbers from DOUBLE on
COMPLEX = 0x800  # flag of a variable


def _elements(raw: memoryview) -> Iterator[Tuple[int, memoryview]]:
    """(kind, contents) of one after another. Up to four bytes stand in the heading itself."""
    at = 0
    while at < len(raw):
        if len(raw) - at < 8:
            raise ValueError("it ends within an element")
        kind, size = struct.unpack_from("<II", raw, at)
        begin, end = at + 8, at + 8 + size
        at = end if kind == COMPRESSED else end + -size % 8
        if kind >> 16:
            kind, size = kind & 0xffff, kind >> 16
            begin, end, at = begin - 4, begin - 4 + size, begin
            if size > 4:
                raise ValueError("a short element has %d bytes" % size)
        if end > len(raw):
            raise ValueError("it ends within an element")
        yield kind, raw[begin:end]


def _text(raw: memoryview) -> str:
    parts = list(_elements(raw))
    if len(parts) < 3 or _class(parts) != CHAR:
        raise ValueError("a text is no text")
    if len(parts) == 3 or not len(parts[3][1]):
        return ""
    kind, characters = parts[3]
    if kind not in TEXTS:
        raise ValueError("a text has the kind %d" % kind)
    return bytes(characters).decode(TEXTS[kind])


def _class(parts: List[Tuple[int, memoryview]]) -> int:
    flags = int.from_bytes(parts[0][1][:4], "little")
    if flags & COMPLEX:
        raise ValueError("its numbers are complex")
    return flags & 0xff


def _array(parts: List[Tuple[int, memoryview]]) -> Floats:
    if len(parts) != 4 or parts[3][0] not in NUMBERS or len(parts[1][1]) != 8:
        raise ValueError("an array is no matrix of numbers")
    rows, columns = struct.unpack("<ii", parts[1][1])
    array = np.frombuffer(parts[3][1], NUMBERS[parts[3][0]])
    if rows < 0 or columns < 0 or len(array) != rows * columns:
        raise ValueError("an array of %d by %d has %d numbers" % (rows, columns, len(array)))
    return array.reshape((rows, columns), order="F").astype(np.float64, order="C")


def _value(raw: memoryview) -> Union[Floats, str, List[str]]:
    """What a variable holds: a matrix, a text, or a list of texts."""
    parts = list(_elements(raw))
    kind = _class(parts)
    if kind == CHAR:
        return _text(raw)
    if kind == CELL:
        return [_text(cell) for _, cell in parts[3:]]
    if kind < DOUBLE:
        raise ValueError("a variable has the class %d" % kind)
    return _array(parts)


def read(path: str, wanted: List[str]) -> Dict[str, Any]:
    """The variables of these names, those that there are. Raises ValueError where it is no such file."""
    with open(path, "rb") as file:
        raw = file.read()
    if len(raw) < HEADER or raw[126:128] != b"IM" or raw[125] != 1:
        raise ValueError("it is no Matlab file of version 5")
    found: Dict[str, Any] = {}
    for kind, element in _elements(memoryview(raw)[HEADER:]):
        if kind == COMPRESSED:
            try:
                kind, element = next(_elements(memoryview(zlib.decompress(element))), (0, element))
            except zlib.error as why:
                raise ValueError("it is damaged: %s" % why) from None
        if kind != MATRIX:
            continue
        named = [part for _, part in _elements(element)][2:3]
        name = bytes(named[0]).decode("latin-1") if named else ""
        if name in wanted:
            found[name] = _value(element)
    return found


__all__ = ["read"]
