"""Numba's view of native classes: one Numba type for all of them, told apart by name and digest.

A type that lived in a plug-in could not be loaded once the plug-in is gone. `NativeType` lives here
and looks its class up in the registry only when something is compiled.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core import types as numba_types
from numba.core.datamodel import models
from numba.core.typing import templates
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    overload,
    register_jitable,
    register_model,
    unbox,
)

from mnkala.native import bits
from mnkala.native.objects import each_native, each_shared, find_native_class, is_foreign
from mnkala.native.wide import WIDE, install_operators, load_word, lower_half, narrowed, store_word

types: Any = numba_types


class FieldsType(types.Type):
    """The fields of a native class, side by side in memory."""

    def __init__(self, fields: tuple[tuple[str, Any], ...]) -> None:
        self.fields = fields
        super().__init__(f"Fields({fields})")


class NativeType(types.Type):
    """The Numba type of every instance of one native class: a pointer to its fields.

    A pointer, because a recursive kernel hands its instances down at every call, and copying all
    their fields each time cost more than half of the speed. The fields never change while a kernel
    runs, so the compiler may keep what it read.
    """

    def __init__(self, class_name: str, digest: str, fields: tuple[tuple[str, str], ...]) -> None:
        self.class_name = class_name
        self.digest = digest
        self.dtype = FieldsType(tuple((name, _FIELD_TYPES[kind]) for name, kind in fields))
        super().__init__(f"Native({class_name}, {digest}, {fields})")

    @property
    def fields(self) -> tuple[tuple[str, Any], ...]:
        """The names and types of the fields."""
        fields: tuple[tuple[str, Any], ...] = self.dtype.fields
        return fields

    def method(self, name: str) -> Any:
        """The compiled form of one of the class's methods, or None if it has no such method."""
        return _compiled_method(self.class_name, self.digest, name)


_FIELD_TYPES = {
    "int64": types.int64,
    "boolean": types.boolean,
    "float64": types.float64,
    "uint64": types.uint64,
    "wide": WIDE,
    "int64[::1]": types.Array(types.int64, 1, "C"),
    "int64[:, ::1]": types.Array(types.int64, 2, "C"),
    "int32[:, ::1]": types.Array(types.int32, 2, "C"),
    "uint64[::1]": types.Array(types.uint64, 1, "C"),
    "int8[::1]": types.Array(types.int8, 1, "C"),
}


@functools.cache
def _compiled_method(class_name: str, digest: str, name: str) -> Any:
    cls = find_native_class(class_name, digest)
    function = getattr(cls, name, None)
    if not callable(function):
        return None
    _lower_method(name)
    method = numba.njit(nogil=True, boundscheck=is_foreign(function.__module__))(function)
    guard = getattr(cls, "guards", {}).get(name) if is_foreign(cls.__module__) else None
    return method if guard is None else numba.njit(nogil=True)(guard(method))


@functools.cache
def _lower_method(name: str) -> None:
    """Teach the code generator to call the method `name` of any native class."""

    @lower_builtin((NativeType, name), NativeType, types.VarArg(types.Any))
    def call_method(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        dispatcher = types.Dispatcher(signature.args[0].method(name))
        call = context.get_function(dispatcher, signature)
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(builder, arguments)


@functools.cache
def install() -> None:
    """Register the type, its fields and its methods with Numba, once in a process."""
    _spare_scipy()
    install_operators()
    each_native(_mark)
    each_shared(_share)
    overload(bits.popcount)(lambda bits: lambda bits: _count_ones(bits))  # noqa: PLW0108
    overload(bits.lowest_bit)(lambda bits: lambda bits: _count_trailing_zeros(bits))  # noqa: PLW0108
    overload(bits.highest_bit)(
        lambda bits: (
            (lambda bits: 127 - _count_leading_zeros(bits))
            if bits == WIDE
            else (lambda bits: 63 - _count_leading_zeros(bits))
        )
    )
    overload(bits.mix, strict=False)(lambda word: _mix)
    overload(bits.low, strict=False)(lambda word: _low)
    overload(bits.width)(lambda word: (lambda word: 2) if word == WIDE else (lambda word: 1))
    overload(bits.load, strict=False)(lambda words, place, like: _load)
    overload(bits.store, strict=False)(lambda words, place, word: _store)
    overload(bits.prefetch)(lambda words, place: lambda words, place: _fetch(words, place))  # noqa: PLW0108


def _low(word: Any) -> Any:
    return lower_half(word)


def _load(words: Any, place: Any, like: Any) -> Any:
    return load_word(words, place, like)


def _store(words: Any, place: Any, word: Any) -> Any:
    return store_word(words, place, word)


def _spare_scipy() -> None:
    """Load Numba's array functions without SciPy, which they import only to see whether it is
    there: a third of a second at each start.

    Whoever uses linear algebra in a kernel still gets it, because Numba asks again where it is
    used.
    """
    if importlib.util.find_spec("scipy") is None or "scipy.linalg" in sys.modules:
        return
    from numba.np import linalg

    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure_blas


def _share(function: Callable[..., Any]) -> None:
    """Let compiled code call a function. In a function of a plug-in every array index is checked."""
    register_jitable(
        boundscheck=is_foreign(function.__module__),
        forceinline=getattr(function, "inlined", False),
    )(function)


def _mark(cls: Any) -> None:
    """Tell Numba the type of a class's instances where it looks first, which is faster than being
    asked at each call."""
    cls._numba_type_ = NativeType(cls.native_name, cls.native_digest, cls.native_fields)


@register_model(FieldsType)
class _FieldsModel(models.StructModel):
    """The layout of a native class's fields in memory: a struct with a member for each."""

    def __init__(self, manager: Any, kind: FieldsType) -> None:
        super().__init__(manager, kind, list(kind.fields))


register_model(NativeType)(models.PointerModel)


@templates.infer_getattr
class _NativeAttributes(templates.AttributeTemplate):
    """Gives the compiler the type of a field or a method of a native class."""

    key = NativeType

    def generic_resolve(self, kind: NativeType, name: str) -> Any:
        fields = dict(kind.fields)
        if name in fields:
            return fields[name]
        method = kind.method(name)
        if method is None:
            return None
        dispatcher = types.Dispatcher(method)

        class Method(templates.AbstractTemplate):
            key = (NativeType, name)

            def generic(self, arguments: Any, keywords: Any) -> Any:
                signature = dispatcher.get_call_type(self.context, (kind, *arguments), keywords)
                return None if signature is None else signature.as_method()

        return types.BoundFunction(Method, kind)


@lower_getattr_generic(NativeType)
def _get_field(context: Any, builder: Any, kind: NativeType, pointer: Any, name: str) -> Any:
    struct = cgutils.create_struct_proxy(kind.dtype, kind="data")(context, builder, ref=pointer)
    place = struct._get_ptr_by_name(name)
    field = builder.load(place)
    field.set_metadata("invariant.load", builder.module.add_metadata([]))
    field_type = dict(kind.fields)[name]
    value = context.data_model_manager[field_type].from_data(builder, field)
    return (
        _unowned(context, builder, field_type, value)
        if isinstance(field_type, types.Array)
        else value
    )


@unbox(NativeType)
def _unbox(kind: NativeType, instance: Any, c: Any) -> NativeValue:
    """Copy the fields of a Python instance into a struct on the stack of the call."""
    struct = cgutils.create_struct_proxy(kind.dtype, kind="data")(c.context, c.builder)
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    held = []
    for name, field_type in kind.fields:
        value = c.pyapi.object_getattr_string(instance, name)
        native = c.unbox(field_type, value)
        c.builder.store(c.builder.or_(c.builder.load(failed), native.is_error), failed)
        c.pyapi.decref(value)
        setattr(struct, name, native.value)
        held.append((field_type, native.value))

    def release() -> None:
        for field_type, value in held:
            c.context.nrt.decref(c.builder, field_type, value)

    return NativeValue(struct._getpointer(), is_error=c.builder.load(failed), cleanup=release)


def _unowned(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """Return an array without its owner. The call holds a reference to the instance, so reading a
    field need not count another."""
    view = context.make_array(array_type)(context, builder, value=array)
    view.meminfo = cgutils.get_null_value(view.meminfo.type)
    return view._getvalue()


def _mix(word: Any) -> Any:
    """The body of `mix` in compiled code, where words wrap around by themselves."""
    word = np.uint64(word)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(bits.MIX_1)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(bits.MIX_2)
    return word ^ (word >> np.uint64(31))


def _bit_intrinsic(emit: Callable[[Any, Any], Any]) -> Any:
    @intrinsic
    def instruction(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return narrowed(builder, emit(builder, arguments[0]))

        return types.int64(WIDE if word == WIDE else types.uint64), generate

    return instruction


_count_ones = _bit_intrinsic(lambda builder, word: builder.ctpop(word))
_count_trailing_zeros = _bit_intrinsic(lambda builder, word: builder.cttz(word, cgutils.true_bit))
_count_leading_zeros = _bit_intrinsic(lambda builder, word: builder.ctlz(word, cgutils.true_bit))


@intrinsic
def _fetch(typing_context: Any, words: Any, place: Any) -> Any:
    """Compile `prefetch` to LLVM's instruction: to read, to keep in every cache, as data."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, value=arguments[0])
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(instruction, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(words, types.int64), generate
