"""Numba's view of `bits.Wide`, an integer of 128 bits.

LLVM splits it into two registers, so that the same source serves words of either width.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core import types as numba_types
from numba.core.datamodel import models
from numba.core.typeconv import Conversion
from numba.core.typing import templates
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    lower_cast,
    register_model,
    unbox,
)

from mnkala.native import bits

types: Any = numba_types
WORD, WIDE_WORD = ir.IntType(bits.WORD_BITS), ir.IntType(2 * bits.WORD_BITS)


class WideType(types.Type):
    """The Numba type of `bits.Wide`: an integer of 128 bits, which LLVM splits into two words."""

    def __init__(self) -> None:
        super().__init__("Wide")

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        return Conversion.safe if other == types.uint64 else None


WIDE = WideType()


def narrowed(builder: Any, word: Any) -> Any:
    """The lower 64 bits of a word of either width."""
    return word if word.type == WORD else builder.trunc(word, WORD)


@register_model(WideType)
class _WideModel(models.PrimitiveModel):
    """The representation of a wide word in compiled code: an LLVM integer of 128 bits."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WIDE_WORD)


bits.Wide._numba_type_ = WIDE


@unbox(WideType)
def _unbox_wide(kind: WideType, instance: Any, c: Any) -> NativeValue:
    failed, word = cgutils.false_bit, WIDE_WORD(0)
    for name in ("high", "low"):
        value = c.pyapi.object_getattr_string(instance, name)
        part = c.unbox(types.uint64, value)
        c.pyapi.decref(value)
        failed = c.builder.or_(failed, part.is_error)
        word = c.builder.shl(word, WIDE_WORD(bits.WORD_BITS))
        word = c.builder.or_(word, c.builder.zext(part.value, WIDE_WORD))
    return NativeValue(word, is_error=failed)


@lower_cast(types.uint64, WideType)
def _widen(context: Any, builder: Any, kind: Any, wider: Any, word: Any) -> Any:
    return builder.zext(word, WIDE_WORD)


def _emit(name: str, builder: Any, left: Any, right: Any) -> Any:
    """Emit one instruction, or zero where LLVM leaves the result of a shift open. Where LLVM knows
    that the shift is short, it drops the comparison."""
    result = getattr(builder, name)(left, right)
    if name not in ("shl", "lshr"):
        return result
    inside = builder.icmp_unsigned("<", right, WIDE_WORD(2 * bits.WORD_BITS))
    return builder.select(inside, result, WIDE_WORD(0))


def install_operators() -> None:
    """Teach the compiler every operator of `bits.Wide`, with a wide word on at least one side."""
    instructions = dict(
        zip(
            bits.WIDE_RESULTS,
            ("and_", "or_", "xor", "add", "sub", "mul", "shl", "lshr"),
            strict=True,
        )
    )
    signs = dict(zip(bits.WIDE_TESTS, ("==", "!=", "<", ">"), strict=True))

    def install(compute: Any, made: Any, emit: Callable[..., Any], sides: int) -> None:
        class Typing(templates.AbstractTemplate):
            key = compute

            def generic(self, arguments: Any, keywords: Any) -> Any:
                words = [types.unliteral(each) for each in arguments]
                if WIDE in words and all(each in (WIDE, types.uint64) for each in words):
                    return templates.signature(made, *(WIDE for _ in words))
                return None

        @lower_builtin(compute, *(WideType for _ in range(sides)))
        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, *arguments)

        templates.infer_global(compute)(Typing)

    for compute, name in instructions.items():
        for each in (compute, getattr(operator, f"i{compute.__name__.strip('_')}")):
            install(each, WIDE, functools.partial(_emit, name), 2)
    for compute, sign in signs.items():
        install(
            compute,
            types.boolean,
            lambda builder, *words, sign=sign: builder.icmp_unsigned(sign, *words),
            2,
        )
    install(operator.invert, WIDE, lambda builder, word: builder.not_(word), 1)


@intrinsic
def lower_half(typing_context: Any, word: Any) -> Any:
    """Compile `bits.low`, which takes the lower 64 bits of a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return narrowed(builder, arguments[0])

    return types.uint64(WIDE if word == WIDE else types.uint64), generate


def _place_of_word(context: Any, builder: Any, kind: Any, like: Any, array: Any, place: Any) -> Any:
    """A pointer to a word of an array, of the type in which it is loaded and stored."""
    data = context.make_array(kind)(context, builder, value=array).data
    word = WIDE_WORD if like == WIDE else WORD
    return builder.gep(builder.bitcast(data, word.as_pointer()), [place])


@intrinsic
def load_word(typing_context: Any, words: Any, place: Any, like: Any) -> Any:
    """Compile `bits.load`, which reads a word of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = _place_of_word(context, builder, words, like, *arguments[:2])
        return builder.load(at, align=bits.WORD_BITS // 8)

    return like(words, types.int64, like), generate


@intrinsic
def store_word(typing_context: Any, words: Any, place: Any, word: Any) -> Any:
    """Compile `bits.store`, which writes a word of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = _place_of_word(context, builder, words, word, *arguments[:2])
        builder.store(arguments[2], at, align=bits.WORD_BITS // 8)
        return context.get_dummy_value()

    return types.void(words, types.int64, word), generate
