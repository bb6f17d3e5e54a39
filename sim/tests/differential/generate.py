#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes random PTX programs, and each as a C++ function too.

  generate.py OUT.cpp --seed S --programs N [--ptx FOLDER]

OUT.cpp defines paws_differential_programs() (program.h); --ptx also writes each program's PTX text.
The same seed gives the same programs, on any machine.
"""

import argparse
import pathlib
import random
import sys

# As in program.h; each generated file asserts it.
COUNT = {"h": 6, "r": 10, "d": 8, "f": 8, "g": 6, "p": 6}
OWN_BYTES, SLOT_BYTES, TOTALS, TABLE_BYTES, CONSTANT_BYTES, SCALARS = 64, 16, 8, 1024, 256, 4
INPUT_WORDS = sum(COUNT[c] for c in "hrdfg") + 1
OUTPUT_WORDS = INPUT_WORDS + OWN_BYTES // 8 + SLOT_BYTES // 8 + 1

BITS = {"h": 16, "r": 32, "d": 64, "f": 32, "g": 64}
CLASS = {16: "h", 32: "r", 64: "d"}
ROUNDS = ["rn", "rz", "rm", "rp"]
INTEGRALS = ["rni", "rzi", "rmi", "rpi"]
PROPERTIES = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"]

EDGES_F32 = [0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000,
             0x00000001, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x4F000000, 0xCF000000, 0x5F000000,
             0x3F000000, 0x40200000, 0x4B800001, 0x477FE000, 0x33800000]
EDGES_F64 = [0x0000000000000000, 0x8000000000000000, 0x3FF0000000000000, 0xBFF0000000000000,
             0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x0000000000000001,
             0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x41DFFFFFFFC00000, 0x41E0000000000000,
             0x43E0000000000000, 0x36A0000000000000, 0x47EFFFFFF0000000, 0x3FE0000000000000]


FLOAT_COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu",
                     "num", "nan"]


def ordering(op, x, y):
    """The C++ condition of a comparison of two floating-point expressions."""
    symbols = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    unordered = f"std::isunordered({x}, {y})"
    if op in ("num", "nan"):
        return f"{'!' if op == 'num' else ''}{unordered}"
    if len(op) == 3:
        return f"({unordered} || {x} {symbols[op[:2]]} {y})"
    return f"(!{unordered} && {x} {symbols[op]} {y})"


class Statement:
    """One step that can be left out: PTX lines and the C++ that does the same."""

    def __init__(self, number, ptx, cpp, guard=None):
        self.number, self.ptx, self.cpp, self.guard = number, ptx, cpp, guard

    def write(self, out, depth):
        prefix, test = "", ""
        if self.guard:
            register, negated = self.guard
            prefix = f"@{'!' if negated else ''}%p{register} "
            test = f"if ({'!' if negated else ''}t.p[{register}]) "
        for line in self.ptx:
            out.ptx("  " + prefix + line)
            out.instructions += 1
        out.cpp(depth, test + ("{ " + " ".join(self.cpp) + " }" if test or len(self.cpp) > 1
                               else self.cpp[0]))


class If:
    def __init__(self, number, predicate, negated, then, otherwise):
        self.number, self.predicate, self.negated = number, predicate, negated
        self.then, self.otherwise = then, otherwise

    def write(self, out, depth):
        name = f"IF{self.number}"
        out.ptx(f"  @{'' if self.negated else '!'}%p{self.predicate} bra {name}_ELSE;")
        out.cpp(depth, f"if ({'!' if self.negated else ''}t.p[{self.predicate}]) {{")
        out.block(self.then, depth + 1)
        out.ptx(f"  bra {name}_END;")
        out.ptx(f"{name}_ELSE:")
        out.cpp(depth, "} else {")
        out.block(self.otherwise, depth + 1)
        out.ptx(f"{name}_END:")
        out.cpp(depth, "}")
        out.instructions += 2


class Loop:
    """Trips that depend on the lane; `before`: the test stands before the body."""

    def __init__(self, number, level, register, trips, before, body):
        self.number, self.level, self.register = number, level, register
        self.trips, self.before, self.body = trips, before, body

    def write(self, out, depth):
        name = f"LOOP{self.number}"
        counter = f"%n{self.level}"
        out.ptx(f"  and.b32 {counter}, %r{self.register}, {self.trips};")
        if not self.before:
            out.ptx(f"  add.u32 {counter}, {counter}, 1;")
        out.cpp(depth, f"for (u32 n{self.level} = (t.r[{self.register}] & {self.trips})"
                       f"{'' if self.before else ' + 1'}; n{self.level} != 0; --n{self.level}) {{")
        out.ptx(f"{name}_TOP:")
        if self.before:
            out.ptx(f"  setp.eq.u32 %q, {counter}, 0;")
            out.ptx(f"  @%q bra {name}_END;")
        out.block(self.body, depth + 1)
        out.ptx(f"{name}_NEXT:")
        out.cpp(depth, f"  {name}_NEXT:;")
        out.ptx(f"  sub.u32 {counter}, {counter}, 1;")
        if self.before:
            out.ptx(f"  bra {name}_TOP;")
        else:
            out.ptx(f"  setp.ne.u32 %q, {counter}, 0;")
            out.ptx(f"  @%q bra {name}_TOP;")
        out.ptx(f"{name}_END:")
        out.cpp(depth, "}")
        out.cpp(depth, f"{name}_END:;")
        out.instructions += 5


class Switch:
    """A branch table; a case may fall through into the next."""

    def __init__(self, number, register, cases, falls):
        self.number, self.register, self.cases, self.falls = number, register, cases, falls

    def write(self, out, depth):
        name = f"SWITCH{self.number}"
        labels = ", ".join(f"{name}_{i}" for i in range(len(self.cases)))
        out.ptx(f"  and.b32 %t0, %r{self.register}, {len(self.cases) - 1};")
        out.ptx(f"{name}_TABLE: .branchtargets {labels};")
        out.ptx(f"  brx.idx %t0, {name}_TABLE;")
        out.cpp(depth, f"switch (t.r[{self.register}] & {len(self.cases) - 1}) {{")
        for i, body in enumerate(self.cases):
            out.ptx(f"{name}_{i}:")
            out.cpp(depth + 1, f"case {i}:")
            out.block(body, depth + 2)
            if not self.falls[i]:
                out.ptx(f"  bra {name}_END;")
                out.cpp(depth + 2, f"goto {name}_END;")
            elif i + 1 < len(self.cases):
                out.cpp(depth + 2, "[[fallthrough]];")
        out.ptx(f"{name}_END:")
        out.cpp(depth + 1, "default:;")
        out.cpp(depth, "}")
        out.cpp(depth, f"{name}_END:;")
        out.instructions += 2


class Region:
    """Statements that a branch forward can leave."""

    def __init__(self, number, body):
        self.number, self.body = number, body

    def write(self, out, depth):
        out.cpp(depth, "{")
        out.block(self.body, depth + 1)
        out.ptx(f"REGION{self.number}_END:")
        out.cpp(depth, "}")
        out.cpp(depth, f"REGION{self.number}_END:;")


class Jump:
    """A guarded branch to a label around it, or the end of the thread."""

    def __init__(self, number, predicate, negated, label):
        self.number, self.predicate, self.negated, self.label = number, predicate, negated, label

    def write(self, out, depth):
        guard = f"@{'!' if self.negated else ''}%p{self.predicate}"
        test = f"if ({'!' if self.negated else ''}t.p[{self.predicate}])"
        if self.label is None:
            out.ptx(f"  {guard} exit;")
            out.cpp(depth, f"{test} {{ t.done = true; return; }}")
        else:
            out.ptx(f"  {guard} bra {self.label};")
            out.cpp(depth, f"{test} goto {self.label};")
        out.instructions += 1


class WarpStatement(Statement):
    """All 32 lanes together, outside of any branch: `t` is a pointer to the first lane's thread."""

    def write(self, out, depth):
        for line in self.ptx:
            out.ptx("  " + line)
            out.instructions += 1
        for line in self.cpp:
            out.cpp(depth, line)


class Writer:
    def __init__(self, dropped):
        self.dropped = dropped
        self.ptx_lines, self.cpp_lines, self.instructions = [], [], 0

    def ptx(self, line):
        self.ptx_lines.append(line)

    def cpp(self, depth, line):
        self.cpp_lines.append("  " * depth + line)

    def block(self, statements, depth):
        for statement in statements:
            if statement.number not in self.dropped:
                statement.write(self, depth)


def literal_f32(bits):
    return f"0f{bits:08X}"


def literal_f64(bits):
    return f"0d{bits:016X}"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.next_number = 0
        self.shared_phase = "own"  # own: a thread's slot is its own; all: every thread reads every slot
        self.targets = []          # labels that a branch may go to
        self.may_exit = False

    # ---- choices --------------------------------------------------------------------------------
    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def number(self):
        self.next_number += 1
        return self.next_number

    def register(self, kind):
        return self.random.randrange(COUNT[kind])

    # ---- operands: (PTX, C++) ---------------------------------------------------------------------
    def reg(self, kind, index=None):
        if index is None:
            index = self.register(kind)
        return f"%{kind}{index}", f"t.{kind}[{index}]"

    def bits_literal(self, width, value):
        return f"u{width}(0x{value:x}{'u' if width < 64 else 'ull'})"

    def integer(self, bits, signed=False):
        """A source of an integer type: mostly a register, else an immediate."""
        if self.chance(0.8):
            return self.reg(CLASS[bits])
        form = self.random.random()
        if form < 0.5:
            value = self.random.randrange(256) - (64 if signed else 0)
        elif form < 0.75:
            value = self.pick([0, 1, (1 << (bits - 1)) - 1, (1 << bits) - 1, 1 << (bits - 1)])
        else:
            value = self.random.getrandbits(bits)
        value &= (1 << bits) - 1
        shown = value - (1 << bits) if signed and value >> (bits - 1) else value
        # The most negative number has no literal of its own width.
        text = f"0x{value:x}" if not signed or shown == -(1 << (bits - 1)) else str(shown)
        if bits == 64 and value >> 63 and not text.startswith("-"):
            text += "U"
        return text, self.bits_literal(bits, value)

    def amount(self):
        """A shift amount or position: small, around the width, or anything."""
        if self.chance(0.5):
            return self.reg("r")
        value = self.pick([self.random.randrange(70), 0, 15, 16, 31, 32, 33, 63, 64, 255, 256 + 7])
        return str(value), self.bits_literal(32, value)

    def floating(self, kind):
        """A source of f32 (f) or f64 (g)."""
        if self.chance(0.85):
            return self.reg(kind)
        if kind == "f":
            value = self.pick(EDGES_F32) if self.chance(0.6) else self.random.getrandbits(32)
            return literal_f32(value), self.bits_literal(32, value)
        value = self.pick(EDGES_F64) if self.chance(0.6) else self.random.getrandbits(64)
        return literal_f64(value), self.bits_literal(64, value)

    def predicate(self):
        """A source predicate, perhaps negated."""
        ptx, cpp = self.reg("p")
        return ("!" + ptx, "!" + cpp) if self.chance(0.3) else (ptx, cpp)

    # ---- statements -----------------------------------------------------------------------------
    def make(self, ptx, cpp):
        guard = (self.register("p"), self.chance(0.5)) if self.chance(0.2) else None
        return Statement(self.number(), [ptx] if isinstance(ptx, str) else ptx,
                         [cpp] if isinstance(cpp, str) else cpp, guard)

    def integer_type(self, widths=(16, 32, 64), signs="us"):
        bits = self.pick(widths)
        sign = self.pick(signs)
        return bits, sign, f"{sign}{bits}", CLASS[bits]

    def add_sub(self):
        bits, sign, name, kind = self.integer_type()
        a, b = self.integer(bits, sign == "s"), self.integer(bits, sign == "s")
        d = self.reg(kind)
        op = self.pick(["add", "sub"])
        symbol = "+" if op == "add" else "-"
        if name == "s32" and self.chance(0.3):
            return self.make(f"{op}.sat.s32 {d[0]}, {a[0]}, {b[0]};",
                             f"{d[1]} = u32(clamped<s32>(s64(s32({a[1]})) {symbol} s32({b[1]})));")
        return self.make(f"{op}.{name} {d[0]}, {a[0]}, {b[0]};",
                         f"{d[1]} = u{bits}(u64({a[1]}) {symbol} u64({b[1]}));")

    def multiply(self):
        bits, sign, name, kind = self.integer_type()
        part = self.pick(["lo", "hi"] + (["wide"] if bits < 64 else []))
        a, b = self.integer(bits, sign == "s"), self.integer(bits, sign == "s")
        wide = part == "wide"
        d = self.reg(CLASS[bits * 2] if wide else kind)
        width = bits * 2 if wide else bits
        if wide:
            product = f"u{width}(Wide<{name}>({name}({a[1]})) * Wide<{name}>({name}({b[1]})))"
        elif part == "hi":
            product = f"mul_hi<{name}>({name}({a[1]}), {name}({b[1]}))"
        else:
            product = f"u{bits}(u64({a[1]}) * u64({b[1]}))"
        if self.chance(0.5):
            return self.make(f"mul.{part}.{name} {d[0]}, {a[0]}, {b[0]};", f"{d[1]} = {product};")
        c = self.integer(width, sign == "s")
        if part == "hi" and name == "s32" and self.chance(0.4):
            return self.make(
                f"mad.hi.sat.s32 {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                f"{d[1]} = u32(clamped<s32>(s64(s32({product})) + s32({c[1]})));")
        return self.make(f"mad.{part}.{name} {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                         f"{d[1]} = u{width}(u64({product}) + u64({c[1]}));")

    def multiply24(self):
        sign = self.pick("us")
        name = f"{sign}32"
        part = self.pick(["lo", "hi"])
        a, b, c = (self.integer(32, sign == "s") for _ in range(3))
        d = self.reg("r")
        product = f"mul24_{part}<{name}>({name}({a[1]}), {name}({b[1]}))"
        if self.chance(0.5):
            return self.make(f"mul24.{part}.{name} {d[0]}, {a[0]}, {b[0]};", f"{d[1]} = {product};")
        return self.make(f"mad24.{part}.{name} {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                         f"{d[1]} = u32({product} + {c[1]});")

    def divide(self):
        bits, sign, name, kind = self.integer_type()
        a, b = self.integer(bits, sign == "s"), self.reg(kind)
        d = self.reg(kind)
        temporary = {16: "%t16", 32: "%t0", 64: "%t64"}[bits]
        op, function = self.pick([("div", "quotient"), ("rem", "remainder")])
        # A division by zero is unspecified: the divisor is made odd.
        return self.make([f"or.b{bits} {temporary}, {b[0]}, 1;",
                          f"{op}.{name} {d[0]}, {a[0]}, {temporary};"],
                         f"{d[1]} = {function}<{name}>({name}({a[1]}), {name}({b[1]} | 1));")

    def min_max(self):
        bits, sign, name, kind = self.integer_type()
        a, b = self.integer(bits, sign == "s"), self.integer(bits, sign == "s")
        d = self.reg(kind)
        op = self.pick(["min", "max"])
        return self.make(f"{op}.{name} {d[0]}, {a[0]}, {b[0]};",
                         f"{d[1]} = u{bits}(std::{op}<{name}>({name}({a[1]}), {name}({b[1]})));")

    def scalar_video(self):
        types = [f"{self.pick('us')}32" for _ in range(3)]
        op = self.pick(["add", "sub", "absdiff", "min", "max"])
        sat = self.chance(0.5)
        third = self.pick(["", "merge", "add", "min", "max"])
        sources = []
        for name in types[1:]:
            selector = self.pick(["", "", "", "b0", "b1", "b2", "b3", "h0", "h1"])
            ptx, cpp = self.reg("r") if selector else self.integer(32, name == "s32")
            sources.append((ptx + (f".{selector}" if selector else ""), f'"{selector}", {cpp}'))
        (a, b), c, d = sources, self.integer(32, types[0] == "s32"), self.reg("r")
        part = self.pick(["b0", "b1", "b2", "b3", "h0", "h1"]) if third == "merge" else ""
        bits = {"": 32, "b": 8, "h": 16}[part[:1]]
        first = (f"video<{', '.join(types)}>(Video::{op}, {str(sat).lower()}, {bits}, {a[1]}, "
                 f"{b[1]})")
        result = (f'merged("{part}", {first}, {c[1]})' if part else
                  f"second<{types[0]}>(Second::{third or 'none'}, {first}, {c[1]})")
        opcode = f"v{op}.{'.'.join(types)}" + (".sat" if sat else "")
        if third and not part:
            opcode += f".{third}"
        return self.make(f"{opcode} {d[0]}{f'.{part}' if part else ''}, {a[0]}, {b[0]}"
                         f"{f', {c[0]}' if third else ''};", f"{d[1]} = {result};")

    def neg_abs_sad(self):
        if self.chance(0.4):
            bits, sign, name, kind = self.integer_type()
            a, b, c = (self.integer(bits, sign == "s") for _ in range(3))
            d = self.reg(kind)
            return self.make(f"sad.{name} {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                             f"{d[1]} = sad<{name}>({name}({a[1]}), {name}({b[1]}), "
                             f"{name}({c[1]}));")
        bits, _, name, kind = self.integer_type(signs="s")
        a, d = self.reg(kind), self.reg(kind)
        negated = f"u{bits}(0 - u64({a[1]}))"
        if self.chance(0.5):
            return self.make(f"neg.{name} {d[0]}, {a[0]};", f"{d[1]} = {negated};")
        return self.make(f"abs.{name} {d[0]}, {a[0]};",
                         f"{d[1]} = {name}({a[1]}) < 0 ? {negated} : {a[1]};")

    def carry_chain(self):
        """Two or three words, or a product of 64 bits by 32."""
        bits = self.pick([32, 32, 64])
        kind, name = CLASS[bits], self.pick([f"u{bits}", f"s{bits}"])
        u = f"u{bits}"
        if self.chance(0.25):
            a, b, lo, hi = (self.reg(kind) for _ in range(4))
            c, e = self.reg(kind), self.reg(kind)
            # A 2 x word product added to two words.
            return self.make(
                [f"mad.lo.cc.{u} %t{'0' if bits == 32 else '64'}, {a[0]}, {b[0]}, {c[0]};",
                 f"madc.hi.{u} {hi[0]}, {a[0]}, {b[0]}, {e[0]};",
                 f"mov.b{bits} {lo[0]}, %t{'0' if bits == 32 else '64'};"],
                [f"const {u} low = add_carry<{u}>({u}({a[1]} * {b[1]}), {c[1]}, false, t.cc);",
                 "bool ignored = false;",
                 f"{hi[1]} = add_carry<{u}>(mul_hi<{u}>({a[1]}, {b[1]}), {e[1]}, t.cc, ignored);",
                 f"{lo[1]} = low;"])
        op, function = self.pick([("add", "add_carry"), ("sub", "sub_borrow")])
        words = self.pick([2, 2, 3])
        ptx, cpp = [], []
        for i in range(words):
            first, last = i == 0, i == words - 1
            a, b = self.integer(bits, name[0] == "s"), self.integer(bits, name[0] == "s")
            d = self.reg(kind)
            ptx.append(f"{op}{'' if first else 'c'}{'' if last else '.cc'}.{name} "
                       f"{d[0]}, {a[0]}, {b[0]};")
            out = "ignored" if last else "t.cc"
            carry = "t.cc" if not first else "false" if op == "add" else "true"
            cpp.append(f"{'bool ignored = false; ' if last else ''}{d[1]} = {function}<{u}>({a[1]}, "
                       f"{b[1]}, {carry}, {out});")
        return self.make(ptx, cpp)

    def logic(self):
        op = self.pick(["and", "or", "xor", "not", "cnot", "lop3", "pred"])
        if op == "pred":
            d = self.reg("p")
            form = self.pick(["and", "or", "xor", "not", "mov"])
            a, b = self.reg("p"), self.reg("p")
            if form in ("not", "mov"):
                return self.make(f"{form}.pred {d[0]}, {a[0]};",
                                 f"{d[1]} = {'!' if form == 'not' else ''}{a[1]};")
            symbol = {"and": "&&", "or": "||", "xor": "!="}[form]
            return self.make(f"{form}.pred {d[0]}, {a[0]}, {b[0]};",
                             f"{d[1]} = {a[1]} {symbol} {b[1]};")
        if op == "lop3":
            a, b, c, d = self.integer(32), self.integer(32), self.integer(32), self.reg("r")
            table = self.random.randrange(256)
            return self.make(f"lop3.b32 {d[0]}, {a[0]}, {b[0]}, {c[0]}, {table};",
                             f"{d[1]} = lop3({a[1]}, {b[1]}, {c[1]}, {table});")
        bits = self.pick([16, 32, 64])
        a, b, d = self.integer(bits), self.integer(bits), self.reg(CLASS[bits])
        if op == "not":
            return self.make(f"not.b{bits} {d[0]}, {a[0]};", f"{d[1]} = u{bits}(~{a[1]});")
        if op == "cnot":
            return self.make(f"cnot.b{bits} {d[0]}, {a[0]};", f"{d[1]} = {a[1]} == 0 ? 1 : 0;")
        symbol = {"and": "&", "or": "|", "xor": "^"}[op]
        return self.make(f"{op}.b{bits} {d[0]}, {a[0]}, {b[0]};",
                         f"{d[1]} = u{bits}({a[1]} {symbol} {b[1]});")

    def shift(self):
        form = self.pick(["shl", "shr", "shr", "shf"])
        n = self.amount()
        if form == "shf":
            a, b, d = self.integer(32), self.integer(32), self.reg("r")
            right, wrap = self.chance(0.5), self.chance(0.5)
            return self.make(
                f"shf.{'r' if right else 'l'}.{'wrap' if wrap else 'clamp'}.b32 "
                f"{d[0]}, {a[0]}, {b[0]}, {n[0]};",
                f"{d[1]} = shf({str(right).lower()}, {str(wrap).lower()}, {a[1]}, {b[1]}, {n[1]});")
        bits, sign, name, kind = self.integer_type(signs="us" if form == "shr" else "u")
        a, d = self.integer(bits, sign == "s"), self.reg(kind)
        if form == "shl":
            return self.make(f"shl.b{bits} {d[0]}, {a[0]}, {n[0]};",
                             f"{d[1]} = shl<u{bits}>({a[1]}, {n[1]});")
        shown = name if sign == "s" or self.chance(0.7) else f"b{bits}"
        return self.make(f"shr.{shown} {d[0]}, {a[0]}, {n[0]};",
                         f"{d[1]} = shr<{name}>({name}({a[1]}), {n[1]});")

    def bit_field(self):
        form = self.pick(["bfe", "bfi", "bfind", "count", "brev", "fns", "bmsk", "szext"])
        if form in ("fns", "bmsk", "szext"):
            a, n, d = self.integer(32), self.amount(), self.reg("r")
            mode = self.pick(["wrap", "clamp"])
            if form == "fns":
                offset = self.pick([self.reg("r"), ("-1", "u32(-1)"), ("3", "u32(3)"),
                                    ("0", "u32(0)"), ("-4", "u32(-4)"), ("1", "u32(1)")])
                base = self.reg("r")
                return self.make([f"and.b32 %t0, {base[0]}, 31;",
                                  f"fns.b32 {d[0]}, {a[0]}, %t0, {offset[0]};"],
                                 f"{d[1]} = fns({a[1]}, {base[1]} & 31, s32({offset[1]}));")
            clamp = str(mode == "clamp").lower()
            if form == "bmsk":
                width = self.amount()
                return self.make(f"bmsk.{mode}.b32 {d[0]}, {n[0]}, {width[0]};",
                                 f"{d[1]} = bmsk({clamp}, {n[1]}, {width[1]});")
            name = self.pick(["u32", "s32"])
            return self.make(f"szext.{mode}.{name} {d[0]}, {a[0]}, {n[0]};",
                             f"{d[1]} = szext<{name}>({clamp}, {a[1]}, {n[1]});")
        bits, sign, name, kind = self.integer_type(widths=(32, 64))
        a = self.integer(bits, sign == "s")
        if form == "bfe":
            b, c, d = self.amount(), self.amount(), self.reg(kind)
            return self.make(f"bfe.{name} {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                             f"{d[1]} = bfe<{name}>({name}({a[1]}), {b[1]}, {c[1]});")
        if form == "bfi":
            a, b, c, n, d = (self.integer(bits), self.integer(bits), self.amount(), self.amount(),
                             self.reg(kind))
            return self.make(f"bfi.b{bits} {d[0]}, {a[0]}, {b[0]}, {c[0]}, {n[0]};",
                             f"{d[1]} = bfi<u{bits}>({a[1]}, {b[1]}, {c[1]}, {n[1]});")
        if form == "bfind":
            d = self.reg("r")
            amount = self.chance(0.4)
            return self.make(f"bfind{'.shiftamt' if amount else ''}.{name} {d[0]}, {a[0]};",
                             f"{d[1]} = bfind<{name}>({name}({a[1]}), {str(amount).lower()});")
        a = self.integer(bits)
        if form == "brev":
            d = self.reg(kind)
            return self.make(f"brev.b{bits} {d[0]}, {a[0]};", f"{d[1]} = brev<u{bits}>({a[1]});")
        d = self.reg("r")
        op, function = self.pick([("popc", "std::popcount"), ("clz", "std::countl_zero")])
        return self.make(f"{op}.b{bits} {d[0]}, {a[0]};", f"{d[1]} = u32({function}({a[1]}));")

    def bytes_(self):
        a, b, c, d = self.integer(32), self.integer(32), self.integer(32), self.reg("r")
        form = self.pick(["prmt", "prmt", "prmt mode", "dp4a", "dp2a"])
        if form == "prmt":
            return self.make(f"prmt.b32 {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                             f"{d[1]} = prmt({a[1]}, {b[1]}, {c[1]});")
        if form == "prmt mode":
            mode = self.pick(["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"])
            return self.make(f"prmt.b32.{mode} {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                             f"{d[1]} = prmt(Bytes::{mode}, {a[1]}, {b[1]}, {c[1]});")
        left, right = self.pick("us"), self.pick("us")
        if form == "dp4a":
            return self.make(f"dp4a.{left}32.{right}32 {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                             f"{d[1]} = dp4a<{left}8, {right}8>({a[1]}, {b[1]}, {c[1]});")
        part = self.pick(["lo", "hi"])
        return self.make(f"dp2a.{part}.{left}32.{right}32 {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                         f"{d[1]} = dp2a<{left}16, {right}8>({str(part == 'hi').lower()}, {a[1]}, "
                         f"{b[1]}, {c[1]});")

    def comparison(self):
        """A comparison of two operands: (modifiers, type, a, b, C++ condition)."""
        if self.chance(0.35):
            name = self.pick(["f32", "f64", "f32", "f64", "f16", "bf16"])
            op = self.pick(FLOAT_COMPARISONS)
            ftz = name in ("f32", "f16") and self.chance(0.3)
            if name in ("f16", "bf16"):
                a, b = self.reg("h"), self.reg("h")
                function = f"small_input(Small::{name}, "
            else:
                kind = "f" if name == "f32" else "g"
                a, b = self.floating(kind), self.floating(kind)
                function = "input("
            condition = ordering(op, *(f"{function}{str(ftz).lower()}, {o[1]})" for o in (a, b)))
            return op, (".ftz" if ftz else ""), name, a, b, condition
        bits, sign, name, _ = self.integer_type()
        symbols = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
        ops = dict(symbols)
        if sign == "u":
            ops.update({"lo": "<", "ls": "<=", "hi": ">", "hs": ">="})
        op = self.pick(sorted(ops))
        shown = name
        if op in ("eq", "ne") and self.chance(0.3):
            shown = f"b{bits}"
        a, b = self.integer(bits, sign == "s"), self.integer(bits, sign == "s")
        if not a[0].startswith("%") and not b[0].startswith("%"):
            a = self.reg(CLASS[bits])
        return op, "", shown, a, b, f"({name}({a[1]}) {ops[op]} {name}({b[1]}))"

    def set_predicate(self):
        op, ftz, name, a, b, condition = self.comparison()
        d, q, c = self.reg("p"), self.reg("p"), self.predicate()
        form = self.random.random()
        if form < 0.4:
            return self.make(f"setp.{op}{ftz}.{name} {d[0]}, {a[0]}, {b[0]};",
                             f"{d[1]} = {condition};")
        join = self.pick(["and", "or", "xor"])
        symbol = {"and": "&&", "or": "||", "xor": "!="}[join]
        if form < 0.7:
            return self.make(f"setp.{op}.{join}{ftz}.{name} {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                             f"{d[1]} = {condition} {symbol} ({c[1]});")
        if d == q:
            q = self.reg("p", (int(d[0][2:]) + 1) % COUNT["p"])
        return self.make(
            f"setp.{op}.{join}{ftz}.{name} {d[0]}|{q[0]}, {a[0]}, {b[0]}, {c[0]};",
            [f"const bool holds = {condition};", f"const bool with = {c[1]};",
             f"{d[1]} = holds {symbol} with;", f"{q[1]} = !holds {symbol} with;"])

    def select(self):
        form = self.pick(["selp", "selp", "set", "slct", "testp"])
        if form == "testp":
            kind, prop = self.pick("fg"), self.pick(PROPERTIES)
            a, d = self.reg(kind), self.reg("p")
            return self.make(f"testp.{prop}.{'f32' if kind == 'f' else 'f64'} {d[0]}, {a[0]};",
                             f"{d[1]} = testp(Property::{prop}, {a[1]});")
        if form == "set":
            op, ftz, name, a, b, condition = self.comparison()
            small = name in ("f16", "bf16")
            result = self.pick(["u32", "s32", name if small else "f32"])
            d = self.reg({"f32": "f", "f16": "h", "bf16": "h"}.get(result, "r"))
            true = {"f32": "0x3f800000u", "f16": "0x3c00u",
                    "bf16": "0x3f80u"}.get(result, "0xffffffffu")
            if self.chance(0.5):
                return self.make(f"set.{op}{ftz}.{result}.{name} {d[0]}, {a[0]}, {b[0]};",
                                 f"{d[1]} = {condition} ? {true} : 0u;")
            c = self.predicate()
            join = self.pick(["and", "or", "xor"])
            symbol = {"and": "&&", "or": "||", "xor": "!="}[join]
            return self.make(f"set.{op}.{join}{ftz}.{result}.{name} {d[0]}, {a[0]}, {b[0]}, "
                             f"{c[0]};",
                             f"{d[1]} = ({condition} {symbol} ({c[1]})) ? {true} : 0u;")
        kind = self.pick("hrdfg")
        bits = BITS[kind]
        if kind in "fg":
            a, b, name = self.floating(kind), self.floating(kind), f"f{bits}"
        else:
            a, b, name = self.integer(bits), self.integer(bits), f"{self.pick('bu')}{bits}"
        d = self.reg(kind)
        if form == "selp":
            c = self.reg("p")
            return self.make(f"selp.{name} {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                             f"{d[1]} = {c[1]} ? {a[1]} : {b[1]};")
        if self.chance(0.5):
            c = self.reg("r")
            return self.make(f"slct.{name}.s32 {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                             f"{d[1]} = s32({c[1]}) >= 0 ? {a[1]} : {b[1]};")
        c = self.reg("f")
        ftz = self.chance(0.3)
        return self.make(f"slct{'.ftz' if ftz else ''}.{name}.f32 {d[0]}, {a[0]}, {b[0]}, {c[0]};",
                         f"{d[1]} = input({str(ftz).lower()}, {c[1]}) >= 0 ? {a[1]} : {b[1]};")

    def move(self):
        form = self.random.randrange(7)
        if form == 0:
            kind = self.pick("hrd")
            a, d = self.integer(BITS[kind]), self.reg(kind)
            return self.make(f"mov.b{BITS[kind]} {d[0]}, {a[0]};", f"{d[1]} = {a[1]};")
        if form == 1:
            integer, floating = self.pick([("r", "f"), ("d", "g")])
            kinds = (integer, floating) if self.chance(0.5) else (floating, integer)
            a, d = self.reg(kinds[0]), self.reg(kinds[1])
            return self.make(f"mov.b{BITS[integer]} {d[0]}, {a[0]};", f"{d[1]} = {a[1]};")
        if form == 2:
            a, b, d = self.reg("r"), self.reg("r"), self.reg("d")
            return self.make(f"mov.b64 {d[0]}, {{{a[0]}, {b[0]}}};",
                             f"{d[1]} = u64({b[1]}) << 32 | {a[1]};")
        if form == 3:
            a, b = self.random.sample(range(COUNT["r"]), 2)
            s = self.reg("d")
            return self.make(f"mov.b64 {{%r{a}, %r{b}}}, {s[0]};",
                             [f"t.r[{a}] = u32({s[1]});", f"t.r[{b}] = u32({s[1]} >> 32);"])
        if form == 4:
            a, b, d = self.reg("h"), self.reg("h"), self.reg("r")
            return self.make(f"mov.b32 {d[0]}, {{{a[0]}, {b[0]}}};",
                             f"{d[1]} = u32({b[1]}) << 16 | {a[1]};")
        if form == 5:
            a, b = self.random.sample(range(COUNT["h"]), 2)
            s = self.reg("r")
            return self.make(f"mov.b32 {{%h{a}, %h{b}}}, {s[0]};",
                             [f"t.h[{a}] = u16({s[1]});", f"t.h[{b}] = u16({s[1]} >> 16);"])
        name, cpp = self.pick([("%tid.x", "t.x"), ("%tid.y", "t.y"), ("%ctaid.x", "b.number"),
                               ("%laneid", "t.id % kWarp"), ("%ntid.x", "kWidth"),
                               ("%nctaid.x", "kBlocks"), ("%lanemask_lt", "(1u << t.id % kWarp) - 1")])
        d = self.reg("r")
        return self.make(f"mov.u32 {d[0]}, {name};", f"{d[1]} = {cpp};")

    def float_arithmetic(self):
        kind = self.pick("fffg")
        name = "f32" if kind == "f" else "f64"
        d = self.reg(kind)
        single = kind == "f"
        ftz = single and self.chance(0.3)
        sat = single and self.chance(0.15)
        op = self.pick(["add", "sub", "mul", "fma", "fma", "div", "sqrt", "rcp", "min", "max",
                        "neg", "abs", "copysign"])
        a, b, c = (self.floating(kind) for _ in range(3))
        flags = (".ftz" if ftz else "")
        cftz = str(ftz).lower()
        if op in ("min", "max"):
            function = "minimum" if op == "min" else "maximum"
            return self.make(f"{op}{flags}.{name} {d[0]}, {a[0]}, {b[0]};",
                             f"{d[1]} = {function}({cftz}, {a[1]}, {b[1]});")
        if op == "copysign":
            return self.make(f"copysign.{name} {d[0]}, {a[0]}, {b[0]};",
                             f"{d[1]} = copysign({a[1]}, {b[1]});")
        if op in ("neg", "abs"):
            # What becomes of a NaN is unspecified.
            a = self.reg(kind)
            host = f"-input({cftz}, {a[1]})" if op == "neg" else f"std::fabs(input({cftz}, {a[1]}))"
            return self.make([f"testp.number.{name} %q, {a[0]};",
                              f"@%q {op}{flags}.{name} {d[0]}, {a[0]};"],
                             f"if (testp(Property::number, {a[1]})) "
                             f"{d[1]} = std::bit_cast<u{BITS[kind]}>({host});").unguarded()
        rounding = self.pick(ROUNDS) if self.chance(0.5) else "rn"
        if op in ("sqrt", "rcp", "div"):
            sat = False
        needs_mode = op in ("fma", "div", "sqrt", "rcp") or rounding != "rn" or self.chance(0.5)
        mode = f".{rounding}" if needs_mode else ""
        flags += ".sat" if sat else ""
        csat = str(sat).lower()
        sources = {"fma": [a, b, c], "sqrt": [a], "rcp": [a]}.get(op, [a, b])
        ptx = f"{op}{mode}{flags}.{name} {d[0]}, {', '.join(s[0] for s in sources)};"
        if rounding == "rn" and op in ("add", "sub", "mul", "div"):
            symbol = {"add": "+", "sub": "-", "mul": "*", "div": "/"}[op]
            host = f"input({cftz}, {a[1]}) {symbol} input({cftz}, {b[1]})"
            return self.make(ptx, f"{d[1]} = output({cftz}, {csat}, {host});")
        return self.make(ptx, f"{d[1]} = arithmetic(Arithmetic::{op}, Round::{rounding}, {cftz}, "
                              f"{csat}, {', '.join(s[1] for s in sources)});")

    def convert(self):
        form = self.pick(["int", "int", "to int", "to int", "from int", "from int", "float",
                          "integral"])
        narrow = {8: "h", 16: "h", 32: "r", 64: "d"}
        if form == "int":
            to, from_ = self.pick([8, 16, 32, 64]), self.pick([8, 16, 32, 64])
            ds, ss = self.pick("us"), self.pick("us")
            d = self.reg(self.pick("rd") if to == 8 else narrow[to])
            s = self.reg(self.pick("hrd") if from_ == 8 else narrow[from_])
            sat = self.chance(0.4)
            width = BITS[d[0][1]]
            return self.make(
                f"cvt{'.sat' if sat else ''}.{ds}{to}.{ss}{from_} {d[0]}, {s[0]};",
                f"{d[1]} = u{width}(integer_to_integer<{ds}{to}>({str(sat).lower()}, "
                f"{ss}{from_}({s[1]})));")
        if form == "to int":
            to, ds = self.pick([8, 16, 32, 64, 32, 64]), self.pick("us")
            kind = self.pick("fg")
            d, s = self.reg(self.pick("rd") if to == 8 else narrow[to]), self.reg(kind)
            round_ = self.pick(INTEGRALS)
            ftz = kind == "f" and self.chance(0.3)
            sat = self.chance(0.2)
            width = BITS[d[0][1]]
            return self.make(
                f"cvt.{round_}{'.ftz' if ftz else ''}{'.sat' if sat else ''}.{ds}{to}."
                f"{'f32' if kind == 'f' else 'f64'} {d[0]}, {s[0]};",
                f"{d[1]} = u{width}(float_to_integer<{ds}{to}>(Integral::{round_}, "
                f"{str(ftz).lower()}, {s[1]}));")
        if form == "from int":
            from_, ss = self.pick([8, 16, 32, 64, 32, 64]), self.pick("us")
            kind = self.pick("fg")
            d, s = self.reg(kind), self.reg(self.pick("hrd") if from_ == 8 else narrow[from_])
            round_ = self.pick(ROUNDS)
            sat = self.chance(0.2)
            name = "f32" if kind == "f" else "f64"
            return self.make(
                f"cvt.{round_}{'.sat' if sat else ''}.{name}.{ss}{from_} {d[0]}, {s[0]};",
                f"{d[1]} = integer_to_{name}<{ss}{from_}>(Round::{round_}, {str(sat).lower()}, "
                f"{ss}{from_}({s[1]}));")
        ftz, sat = self.chance(0.3), self.chance(0.2)
        flags = f"{'.ftz' if ftz else ''}{'.sat' if sat else ''}"
        cftz, csat = str(ftz).lower(), str(sat).lower()
        if form == "float":
            if self.chance(0.5):
                d, s = self.reg("g"), self.reg("f")
                return self.make(f"cvt{flags}.f64.f32 {d[0]}, {s[0]};",
                                 f"{d[1]} = f32_to_f64({cftz}, {csat}, {s[1]});")
            d, s, round_ = self.reg("f"), self.reg("g"), self.pick(ROUNDS)
            return self.make(f"cvt.{round_}{flags}.f32.f64 {d[0]}, {s[0]};",
                             f"{d[1]} = f64_to_f32(Round::{round_}, {cftz}, {csat}, {s[1]});")
        kind = self.pick("fg")
        if kind == "g":
            cftz, flags = "false", ".sat" if sat else ""
        d, s, round_ = self.reg(kind), self.reg(kind), self.pick(INTEGRALS)
        name = "f32" if kind == "f" else "f64"
        return self.make(f"cvt.{round_}{flags}.{name}.{name} {d[0]}, {s[0]};",
                         f"{d[1]} = to_integral(Integral::{round_}, {cftz}, {csat}, {s[1]});")

    # ---- numbers of 16 bits -----------------------------------------------------------------------
    def small_arithmetic(self):
        """On one number, or on a pair of them in a 32-bit register."""
        name = self.pick(["f16", "bf16"])
        pair = self.chance(0.4)
        kind, shown = ("r", name + "x2") if pair else ("h", name)
        op = self.pick(["add", "sub", "mul", "fma", "fma", "fma", "min", "max", "neg", "abs"])
        a, b, c, d = (self.reg(kind) for _ in range(4))
        ftz = name == "f16" and self.chance(0.3)
        flags, cftz = ".ftz" if ftz else "", str(ftz).lower()
        if op in ("neg", "abs"):
            # What becomes of a NaN is unspecified, so pairs stay out.
            a, d = self.reg("h"), self.reg("h")
            of = f"small_flushed(Small::{name}, {a[1]})" if ftz else a[1]
            sign = "^ 0x8000" if op == "neg" else "& 0x7fff"
            return self.make([f"setp.num.{name} %q, {a[0]}, {a[0]};",
                              f"@%q {op}{flags}.{name} {d[0]}, {a[0]};"],
                             f"if (!std::isnan(from_small(Small::{name}, {a[1]}))) "
                             f"{d[1]} = u16({of} {sign});").unguarded()
        sources = [a, b, c] if op == "fma" else [a, b]
        if op in ("min", "max"):
            nan, xorsign = self.chance(0.4), self.chance(0.3)
            flags += (".NaN" if nan else "") + (".xorsign.abs" if xorsign else "")
            call = (f"small_extreme(Small::{name}, Extreme::{op}, {cftz}, {str(nan).lower()}, "
                    f"{str(xorsign).lower()}, ")
        else:
            ends = self.pick(["", "", ""] + ["sat"] * (name == "f16") + ["relu"] * (op == "fma"))
            flags = (".rn" if op == "fma" or self.chance(0.5) else "") + flags
            flags += "." + ends if ends else ""
            call = (f"small_arithmetic(Small::{name}, Arithmetic::{op}, {{{cftz}, "
                    f"{str(ends == 'sat').lower()}, {str(ends == 'relu').lower()}}}, ")
        ptx = f"{op}{flags}.{shown} {d[0]}, {', '.join(s[0] for s in sources)};"
        values = ", ".join(s[1] for s in sources)
        if not pair:
            return self.make(ptx, f"{d[1]} = {call}{values});")
        names = ["x", "y", "z"][:len(sources)]
        return self.make(ptx, f"{d[1]} = both_halves([](" + ", ".join(f"u16 {n}" for n in names) +
                         f") {{ return {call}{', '.join(names)}); }}, {values});")

    def small_comparison(self):
        """Of pairs, with a predicate or a number for each half."""
        name = self.pick(["f16", "bf16"])
        a, b = self.reg("r"), self.reg("r")
        ftz = name == "f16" and self.chance(0.3)
        op = self.pick(FLOAT_COMPARISONS)
        low, high = (ordering(op, *(f"small_input(Small::{name}, {str(ftz).lower()}, "
                                    f"u16({o[1]}{shift}))" for o in (a, b)))
                     for shift in ("", " >> 16"))
        flags = ".ftz" if ftz else ""
        if self.chance(0.5):
            d = self.reg("r")
            result, one = self.pick([(name + "x2", "0x3c00u" if name == "f16" else "0x3f80u"),
                                     ("u32", "0xffffu")])
            return self.make(f"set.{op}{flags}.{result}.{name}x2 {d[0]}, {a[0]}, {b[0]};",
                             f"{d[1]} = ({low} ? {one} : 0u) | ({high} ? {one} << 16 : 0u);")
        p, q = self.random.sample(range(COUNT["p"]), 2)
        c = self.predicate()
        if self.chance(0.5):
            return self.make(f"setp.{op}{flags}.{name}x2 %p{p}|%p{q}, {a[0]}, {b[0]};",
                             [f"t.p[{p}] = {low};", f"t.p[{q}] = {high};"])
        join = self.pick(["and", "or", "xor"])
        symbol = {"and": "&&", "or": "||", "xor": "!="}[join]
        return self.make(
            f"setp.{op}.{join}{flags}.{name}x2 %p{p}|%p{q}, {a[0]}, {b[0]}, {c[0]};",
            [f"const bool with = {c[1]};", f"t.p[{p}] = {low} {symbol} with;",
             f"t.p[{q}] = {high} {symbol} with;"])

    def small_convert(self):
        name = self.pick(["f16", "bf16"])
        small = f"Small::{name}"
        form = self.pick(["f32", "f32", "pair", "f64", "to float", "to int", "from int",
                          "integral", "tf32"])
        h = self.reg("h")
        if form in ("f32", "pair"):
            ends = self.pick(["", "", "ftz", "relu"] + ["sat"] * (name == "f16" and form == "f32"))
            # PTX has the other roundings for f16 alone, and none of them with .relu.
            all_ = name == "f16" and form == "f32" and ends != "relu"
            round_ = self.pick(ROUNDS if all_ else ["rn", "rz"])
            if name == "bf16" or form == "pair":
                ends = "relu" if ends == "relu" else ""
            flags = f"{{{', '.join(str(ends == end).lower() for end in ('ftz', 'sat', 'relu'))}}}"
            end = "." + ends if ends else ""
            a, b = self.floating("f"), self.floating("f")
            if form == "f32":
                a = self.reg("f")
                return self.make(f"cvt.{round_}{end}.{name}.f32 {h[0]}, {a[0]};",
                                 f"{h[1]} = f32_to_small({small}, Round::{round_}, {flags}, {a[1]});")
            d = self.reg("r")
            high, low = (f"f32_to_small({small}, Round::{round_}, {flags}, {o[1]})" for o in (a, b))
            return self.make(f"cvt.{round_}{end}.{name}x2.f32 {d[0]}, {a[0]}, {b[0]};",
                             f"{d[1]} = u32{{{high}}} << 16 | {low};")
        if form == "f64":
            a, round_ = self.reg("g"), self.pick(ROUNDS)
            return self.make(f"cvt.{round_}.{name}.f64 {h[0]}, {a[0]};",
                             f"{h[1]} = f64_to_small({small}, Round::{round_}, {a[1]});")
        if form == "to float":
            kind, to = self.pick([("f", "f32"), ("g", "f64")])
            d = self.reg(kind)
            return self.make(f"cvt.{to}.{name} {d[0]}, {h[0]};",
                             f"{d[1]} = small_to_{to}({small}, {h[1]});")
        if form == "tf32":
            a, d = self.reg("f"), self.reg("r")
            mode = self.pick([".rna", ".rn", ".rn.relu"])
            return self.make(f"cvt{mode}.tf32.f32 {d[0]}, {a[0]};",
                             f"{d[1]} = f32_to_tf32({str(mode == '.rna').lower()}, "
                             f"{str(mode == '.rn.relu').lower()}, {a[1]});")
        round_ = self.pick(INTEGRALS)
        if form == "integral":
            d = self.reg("h")
            return self.make(f"cvt.{round_}.{name}.{name} {d[0]}, {h[0]};",
                             f"{d[1]} = small_to_integral({small}, Integral::{round_}, {h[1]});")
        bits, sign = self.pick([8, 16, 32, 64]), self.pick("us")
        register = self.reg({8: self.pick("hrd"), 16: "h", 32: "r", 64: "d"}[bits])
        if form == "from int":
            round_ = self.pick(ROUNDS)
            return self.make(f"cvt.{round_}.{name}.{sign}{bits} {h[0]}, {register[0]};",
                             f"{h[1]} = integer_to_small({small}, Round::{round_}, "
                             f"{sign}{bits}({register[1]}));")
        if bits == 8:
            register = self.reg(self.pick("rd"))
        width = BITS[register[0][1]]
        return self.make(f"cvt.{round_}.{sign}{bits}.{name} {register[0]}, {h[0]};",
                         f"{register[1]} = u{width}(small_to_integer<{sign}{bits}>({small}, "
                         f"Integral::{round_}, {h[1]}));")

    # ---- memory -----------------------------------------------------------------------------------
    def address(self, space, bytes_):
        """Lines that compute an address, the PTX operand and the C++ pointer."""
        register, generic, cpp, size = {
            "scratch": ("%scratch", "%scratch", "t.scratch", OWN_BYTES),
            "own": ("%own", "%own_generic", "t.own.data()", OWN_BYTES),
            "slot": ("%slot", "%slot_generic", "t.slot", SLOT_BYTES),
            "slots": ("%slots", "%slots_generic", "b.slots.data()", self.slots_bytes),
            "table": ("%table", "%table", "b.table", TABLE_BYTES),
            "constants": ("%constants", None, "kConstants", CONSTANT_BYTES),
        }[space]
        state = {"scratch": "global", "own": "local", "slot": "shared", "slots": "shared",
                 "table": "global", "constants": "const"}[space]
        if generic and self.chance(0.2):
            register, state = generic, None
        spare = self.random.randrange(max(1, size // 2 // bytes_)) * bytes_
        if self.chance(0.4):
            return state, [], f"[{register}+{spare}]", f"{cpp} + {spare}", []
        half = size // 2
        mask = (half - 1) & ~(bytes_ - 1)
        index = self.reg("r")
        lines = [f"and.b32 %t0, {index[0]}, {mask};"]
        if self.chance(0.5):
            lines += ["cvt.u64.u32 %t64, %t0;", f"add.u64 %at, {register}, %t64;"]
        else:
            lines += [f"mad.wide.u32 %at, %t0, 1, {register};"]
        return (state, lines, f"[%at+{spare}]", "at",
                [f"auto* const at = {cpp} + ({index[1]} & {mask}) + {spare};"])

    def load(self):
        spaces = ["scratch", "scratch", "own", "own", "table", "constants", "param"]
        spaces += ["slot", "slot"] if self.shared_phase == "own" else ["slots"] * 4
        space = self.pick(spaces)
        name, bits, kind = self.memory_type()
        count = self.pick([1, 1, 1, 2, 4]) if kind != "wide" else 1
        if count * bits > 128 or space == "param":
            count = 1
        bytes_ = bits // 8
        destinations = self.destinations(bits, kind, count)
        if destinations is None:
            count, destinations = 1, self.destinations(bits, kind, 1)
        if space == "param":
            offset = self.random.randrange(8 * SCALARS // bytes_) * bytes_
            lines, operand, local = [], f"[s{offset // 8}+{offset % 8}]", []
            pointer = f"reinterpret_cast<const u8*>(b.scalars.data()) + {offset}"
            prefix = "ld.param"
        else:
            state, lines, operand, pointer, local = self.address(space, bytes_ * count)
            cached = self.pick(["", "", ".volatile", ".cg", ".ca"])
            if space == "table" and state == "global" and self.chance(0.3):
                cached = ".nc"
            if state in ("const", "local", "shared", None):
                cached = self.pick(["", ".volatile"]) if state != "const" else ""
            volatile = cached == ".volatile"
            prefix = f"ld{cached if volatile else ''}{'.' + state if state else ''}"
            prefix += "" if volatile else cached
        names = [d[0] for d in destinations]
        vector = f".v{count}" if count > 1 else ""
        target = names[0] if count == 1 else "{" + ", ".join(names) + "}"
        ctype = name if name[0] in "us" else f"u{bits}"
        cpp = list(local)
        cpp.append(f"const u8* const from = {pointer};")
        for i, d in enumerate(destinations):
            width = BITS[d[0][1]]
            cpp.append(f"const auto v{i} = u{width}(load<{ctype}>(from + {i * bytes_}));")
        cpp += [f"{d[1]} = v{i};" for i, d in enumerate(destinations)]
        return self.make(lines + [f"{prefix}{vector}.{name} {target}, {operand};"], cpp)

    def memory_type(self):
        bits = self.pick([8, 16, 32, 32, 64, 64])
        name = self.pick(["b", "u", "s", "f"] if bits >= 32 else ["b", "u", "s"]) + str(bits)
        return name, bits, "f" if name[0] == "f" else self.pick(["same", "same", "wide"])

    def destinations(self, bits, kind, count):
        """Different registers for a memory type: of its own width, or wider."""
        if kind == "f":
            registers = "f" if bits == 32 else "g"
        elif kind == "wide":
            registers = {8: "rd", 16: "rd", 32: "d", 64: "d"}[bits]
        else:
            registers = {8: "h", 16: "h", 32: "r", 64: "d"}[bits]
        registers = self.pick(registers)
        if count > COUNT[registers]:
            return None
        return [self.reg(registers, i) for i in self.random.sample(range(COUNT[registers]), count)]

    def store(self):
        spaces = ["scratch", "scratch", "own", "own"]
        if self.shared_phase == "own":
            spaces += ["slot", "slot", "slot"]
        space = self.pick(spaces)
        name, bits, kind = self.memory_type()
        count = self.pick([1, 1, 1, 2, 4]) if kind != "wide" else 1
        if count * bits > 128:
            count = 1
        bytes_ = bits // 8
        state, lines, operand, pointer, local = self.address(space, bytes_ * count)
        sources = self.destinations(bits, kind, count)
        vector = f".v{count}" if count > 1 else ""
        source = sources[0][0] if count == 1 else "{" + ", ".join(s[0] for s in sources) + "}"
        ctype = f"u{bits}"
        cpp = local + [f"u8* const to = {pointer};"]
        cpp += [f"store<{ctype}>(to + {i * bytes_}, {s[1]});" for i, s in enumerate(sources)]
        volatile = self.chance(0.2)
        return self.make(lines + [f"st{'.volatile' if volatile else ''}{'.' + state if state else ''}"
                                  f"{vector}.{name} {operand}, {source};"], cpp)

    def atomic(self):
        """On the thread's own scratch memory with a result, or on words that all share, in an
        operation for which the order does not matter."""
        if self.chance(0.1):
            return self.small_atomic()
        if self.chance(0.4):
            bits = self.pick([32, 64])
            sign = self.pick("us")
            name, kind = f"{sign}{bits}", CLASS[bits]
            op = self.pick(["add", "min", "max", "exch", "cas", "and", "or", "xor", "inc", "dec"])
            if op in ("inc", "dec"):
                bits, sign, name, kind = 32, "u", "u32", "r"
            shown = name
            if op in ("exch", "cas", "and", "or", "xor"):
                shown = f"b{bits}"
                name = f"u{bits}"
            if shown == "s64" and op == "add":
                shown = "u64"
            state, lines, operand, pointer, local = self.address("scratch", bits // 8)
            b, c, d = self.reg(kind), self.reg(kind), self.reg(kind)
            third = f", {c[0]}" if op == "cas" else ""
            function = op + "_" if op in ("and", "or", "xor") else op
            call = (f"atomic<{name}>(Atomic::{function}, to, {b[1]}"
                    f"{', ' + c[1] if op == 'cas' else ''})")
            if op not in ("exch", "cas") and self.chance(0.3):
                return self.make(lines + [f"red{'.' + state if state else ''}.{op}.{shown} "
                                          f"{operand}, {b[0]};"],
                                 local + [f"u8* const to = {pointer};", f"{call};"])
            return self.make(lines + [f"atom{'.' + state if state else ''}.{op}.{shown} {d[0]}, "
                                      f"{operand}, {b[0]}{third};"],
                             local + [f"u8* const to = {pointer};", f"{d[1]} = {call};"])
        word = self.random.randrange(TOTALS)
        op, name = [("add", "u64"), ("min", "u64"), ("max", "s64"), ("and", "b64"), ("or", "b64"),
                    ("xor", "b64"), ("max", "u32"), ("add", "u32")][word]
        bits = int(name[1:])
        b = self.reg(CLASS[bits])
        function = op + "_" if op in ("and", "or", "xor") else op
        ctype = name.replace("b", "u")
        if self.shared_phase == "own" and self.chance(0.6):
            space, operand, pointer = "shared", f"[totals+{8 * word}]", f"&b.totals[{word}]"
        else:
            space, operand, pointer = "global", f"[%sums+{8 * word}]", f"&b.sums[{word}]"
        return self.make(f"red.{space}.{op}.{name} {operand}, {b[0]};",
                         f"atomic<{ctype}>(Atomic::{function}, reinterpret_cast<u8*>({pointer}), "
                         f"{b[1]});")

    def small_atomic(self):
        name, pair = self.pick(["f16", "bf16"]), self.chance(0.5)
        kind, bits, shown = ("r", 32, name + "x2") if pair else ("h", 16, name)
        state, lines, operand, pointer, local = self.address("scratch", bits // 8)
        b, d = self.reg(kind), self.reg(kind)
        space = "." + state if state else ""
        call = f"small_atomic_add<u{bits}>(Small::{name}, to, {b[1]})"
        cpp = local + [f"u8* const to = {pointer};"]
        if self.chance(0.3):
            return self.make(lines + [f"red{space}.add.noftz.{shown} {operand}, {b[0]};"],
                             cpp + [f"{call};"])
        return self.make(lines + [f"atom{space}.add.noftz.{shown} {d[0]}, {operand}, {b[0]};"],
                         cpp + [f"{d[1]} = {call};"])

    # ---- whole warps --------------------------------------------------------------------------------
    def warp_statement(self):
        form = self.pick(["shfl", "shfl", "vote", "ballot", "match", "match all", "redux"])
        each = "for (unsigned i = 0; i < kWarp; ++i)"
        if form == "shfl":
            mode = self.pick(["up", "down", "bfly", "idx"])
            a, d = self.reg("r"), self.reg("r")
            p = self.reg("p")
            b = self.reg("r") if self.chance(0.3) else None
            delta = str(self.random.randrange(32))
            width = self.pick([32, 32, 16, 8, 4])
            c = ((32 - width) << 8) | (0 if mode == "up" else 31)
            source = b[1].replace("t.", "t[i].") if b else f"{delta}u"
            # In half of them a guard keeps lanes from executing, and any mask is as good as another.
            guard, test, members = "", "true", "0xffffffff"
            if self.chance(0.5):
                g, negated = self.reg("p"), self.pick(["", "!"])
                guard, test = f"@{negated}{g[0]} ", f"{negated}{g[1].replace('t.', 't[i].')}"
                members = self.pick([members, hex(self.random.getrandbits(32))])
            return WarpStatement(
                self.number(),
                [f"{guard}shfl.sync.{mode}.b32 {d[0]}|{p[0]}, {a[0]}, {b[0] if b else delta}, {c}, "
                 f"{members};"],
                ["{", "  std::array<u32, kWarp> v{};", "  u32 executing = 0;",
                 f"  {each} v[i] = {a[1].replace('t.', 't[i].')};",
                 f"  {each} executing |= u32({test}) << i;",
                 f"  {each} {{", "    if ((executing >> i & 1) == 0) continue;",
                 "    bool in_range = false;",
                 f"    {d[1].replace('t.', 't[i].')} = "
                 f"shuffled(Shuffle::{mode}, v, executing, i, {source}, {c}, in_range);",
                 f"    {p[1].replace('t.', 't[i].')} = in_range;", "  }", "}"])
        if form in ("vote", "ballot"):
            p = self.reg("p")
            gather = ["  u32 ballot = 0;",
                      f"  {each} ballot |= u32({p[1].replace('t.', 't[i].')}) << i;"]
            if form == "ballot":
                d = self.reg("r")
                return WarpStatement(self.number(),
                                     [f"vote.sync.ballot.b32 {d[0]}, {p[0]}, 0xffffffff;"],
                                     ["{"] + gather +
                                     [f"  {each} {d[1].replace('t.', 't[i].')} = ballot;", "}"])
            mode = self.pick(["all", "any", "uni"])
            d = self.reg("p")
            result = {"all": "ballot == kAllLanes", "any": "ballot != 0",
                      "uni": "ballot == 0 || ballot == kAllLanes"}[mode]
            return WarpStatement(self.number(),
                                 [f"vote.sync.{mode}.pred {d[0]}, {p[0]}, 0xffffffff;"],
                                 ["{"] + gather +
                                 [f"  {each} {d[1].replace('t.', 't[i].')} = {result};", "}"])
        if form in ("match", "match all"):
            kind = self.pick("rd")
            a, d, p = self.reg(kind), self.reg("r"), self.reg("p")
            values = [f"  std::array<u{BITS[kind]}, kWarp> v{{}};",
                      f"  {each} v[i] = {a[1].replace('t.', 't[i].')};",
                      "  std::array<u32, kWarp> same{};",
                      f"  {each} for (unsigned j = 0; j < kWarp; ++j) "
                      "same[i] |= u32(v[i] == v[j]) << j;"]
            if form == "match":
                return WarpStatement(
                    self.number(),
                    [f"match.any.sync.b{BITS[kind]} {d[0]}, {a[0]}, 0xffffffff;"],
                    ["{"] + values + [f"  {each} {d[1].replace('t.', 't[i].')} = same[i];", "}"])
            return WarpStatement(
                self.number(),
                [f"match.all.sync.b{BITS[kind]} {d[0]}|{p[0]}, {a[0]}, 0xffffffff;"],
                ["{"] + values +
                [f"  {each} {d[1].replace('t.', 't[i].')} = same[0] == kAllLanes ? kAllLanes : 0;",
                 f"  {each} {p[1].replace('t.', 't[i].')} = same[0] == kAllLanes;", "}"])
        op, name = self.pick([("add", "u32"), ("add", "s32"), ("min", "u32"), ("min", "s32"),
                              ("max", "u32"), ("max", "s32"), ("and", "b32"), ("or", "b32"),
                              ("xor", "b32")])
        a, d = self.reg("r"), self.reg("r")
        function = op + "_" if op in ("and", "or", "xor") else op
        ctype = name.replace("b", "u")
        return WarpStatement(
            self.number(), [f"redux.sync.{op}.{name} {d[0]}, {a[0]}, 0xffffffff;"],
            ["{", f"  auto all = {ctype}({a[1].replace('t.', 't[0].')});",
             f"  for (unsigned i = 1; i < kWarp; ++i) all = atomic_result<{ctype}>("
             f"Atomic::{function}, all, {ctype}({a[1].replace('t.', 't[i].')}));",
             f"  {each} {d[1].replace('t.', 't[i].')} = u32(all);", "}"])

    # ---- structure ----------------------------------------------------------------------------------
    def simple(self):
        kinds = [(8, self.add_sub), (8, self.multiply), (2, self.multiply24), (5, self.divide),
                 (4, self.min_max), (3, self.scalar_video), (3, self.neg_abs_sad),
                 (4, self.carry_chain), (7, self.logic), (6, self.shift), (7, self.bit_field),
                 (4, self.bytes_), (9, self.set_predicate), (6, self.select), (5, self.move),
                 (16, self.float_arithmetic), (13, self.convert), (9, self.small_arithmetic),
                 (2, self.small_comparison), (7, self.small_convert), (9, self.load),
                 (7, self.store), (4, self.atomic)]
        return self.random.choices([k for _, k in kinds], [w for w, _ in kinds])[0]()

    def statements(self, count, depth, loops):
        return [self.statement(depth, loops) for _ in range(count)]

    def body(self, depth, loops):
        return self.statements(self.random.randrange(1, 5), depth, loops)

    def statement(self, depth, loops):
        roll = self.random.random()
        if depth < 3 and roll < 0.16:
            number = self.number()
            form = self.pick(["if", "if", "loop", "loop", "switch", "region"])
            if form == "if":
                then = self.body(depth + 1, loops)
                otherwise = self.body(depth + 1, loops) if self.chance(0.6) else []
                return If(number, self.register("p"), self.chance(0.5), then, otherwise)
            if form == "loop":
                self.targets += [f"LOOP{number}_END", f"LOOP{number}_NEXT"]
                body = self.body(depth + 1, loops + 1)
                del self.targets[-2:]
                return Loop(number, loops, self.register("r"), 7 if loops == 0 else 3,
                            self.chance(0.5), body)
            if form == "switch":
                cases = [self.body(depth + 1, loops) for _ in range(self.pick([2, 4]))]
                return Switch(number, self.register("r"), cases,
                              [self.chance(0.25) for _ in cases])
            self.targets.append(f"REGION{number}_END")
            body = self.body(depth + 1, loops)
            self.targets.pop()
            return Region(number, body)
        if self.targets and roll < 0.23:
            return Jump(self.number(), self.register("p"), self.chance(0.5), self.pick(self.targets))
        if self.may_exit and roll < 0.24:
            return Jump(self.number(), self.register("p"), self.chance(0.5), None)
        return self.simple()


def unguarded(self):
    """The statement without a guard: its lines have guards of their own."""
    self.guard = None
    return self


Statement.unguarded = unguarded


class Program:
    """Segments of statements; a barrier stands between two of them."""

    def __init__(self, seed, index, size=70):
        self.name = f"seed_{seed}_program_{index}"
        generator = Generator(f"{seed}/{index}")
        g = generator
        self.width, self.height = g.pick([(32, 1), (64, 1), (16, 4), (32, 3), (8, 4), (96, 1), (50, 1),
                                          (7, 5), (33, 1), (128, 1)])
        self.threads = self.width * self.height
        self.blocks = g.pick([1, 2, 3])
        generator.slots_bytes = 1 << ((self.threads * SLOT_BYTES).bit_length() - 1)
        self.constants = [g.random.getrandbits(8) for _ in range(CONSTANT_BYTES)]
        self.segments = []
        segments = g.pick([1, 2, 3, 4])
        for i in range(segments):
            generator.shared_phase = "own" if i % 2 == 0 else "all"
            generator.may_exit = i == segments - 1 and g.chance(0.5)
            count = max(4, size // segments // 2)
            warp = []
            if self.threads % 32 == 0 and g.chance(0.7):
                warp = [generator.warp_statement() for _ in range(g.pick([1, 2, 3]))]
            self.segments.append((warp, generator.statements(count, 0, 0)))
        self.count = generator.next_number

    def write(self, dropped=frozenset()):
        """(PTX text, C++ text of its function and entry) without the dropped statements."""
        out = Writer(dropped)
        functions = []
        calls = []
        for i, (warp, body) in enumerate(self.segments):
            if i > 0:
                out.ptx("  bar.sync 0;")
            if warp:
                start = len(out.cpp_lines)
                out.block(warp, 1)
                lines, out.cpp_lines[start:] = out.cpp_lines[start:], []
                functions.append(f"void warp_{i}([[maybe_unused]] Thread* t) {{\n" +
                                 "\n".join(lines) + "\n}")
                calls.append(f"  for (u32 i = 0; i < kThreads; i += kWarp) "
                             f"warp_{i}(&b.threads[i]);")
            start = len(out.cpp_lines)
            out.block(body, 1)
            lines, out.cpp_lines[start:] = out.cpp_lines[start:], []
            functions.append(f"void segment_{i}([[maybe_unused]] Block& b, "
                             "[[maybe_unused]] Thread& t) {\n" + "\n".join(lines) + "\n}")
            calls.append(f"  for (Thread& t : b.threads) segment_{i}(b, t);")
        ptx = self.prologue() + "\n".join(out.ptx_lines) + self.epilogue()
        constants = ", ".join(map(str, self.constants))
        cpp = (f"namespace {self.name} {{\n"
               f"[[maybe_unused]] constexpr u32 kWidth = {self.width}, kThreads = {self.threads}, "
               f"kBlocks = {self.blocks};\n"
               f"constexpr u8 kConstants[{CONSTANT_BYTES}] = {{{constants}}};\n" +
               "\n".join(functions) + "\nvoid run(Block& b) {\n" + "\n".join(calls) + "\n}\n" +
               f'constexpr char kPtx[] = R"ptx({ptx})ptx";\n' + f"}}  // namespace {self.name}\n")
        entry = (f'    {{"{self.name}", {self.name}::kPtx, {self.width}, {self.height}, '
                 f"{self.blocks}, {out.instructions}, {self.name}::kConstants, {self.name}::run}},")
        return ptx, cpp, entry

    def prologue(self):
        text = [
            ".version 7.8", ".target sm_80", ".address_size 64",
            f".const .align 16 .b8 constants[{CONSTANT_BYTES}] = "
            f"{{{', '.join(map(str, self.constants))}}};",
            ".visible .entry program(.param .u64 in, .param .u64 out, .param .u64 scratch, "
            ".param .u64 table,",
            "  .param .u64 sums, " + ", ".join(f".param .u64 s{i}" for i in range(SCALARS)) + ")",
            "{",
            "  .reg .b16 %h<6>, %t16;", "  .reg .b32 %r<10>, %t0, %n<4>, %x, %y, %id, %global;",
            "  .reg .b64 %d<8>, %t64, %at, %in, %out, %scratch, %table, %sums, %own, %slot, %slots;",
            "  .reg .b64 %own_generic, %slot_generic, %slots_generic, %constants;",
            "  .reg .f32 %f<8>;", "  .reg .f64 %g<6>;", "  .reg .pred %p<6>, %q;",
            f"  .shared .align 16 .b8 slots[{self.threads * SLOT_BYTES}];",
            f"  .shared .align 16 .b8 totals[{TOTALS * 8}];",
            f"  .local .align 16 .b8 own[{OWN_BYTES}];",
            "  mov.u32 %x, %tid.x;", "  mov.u32 %y, %tid.y;",
            f"  mad.lo.u32 %id, %y, {self.width}, %x;",
            "  mov.u32 %t0, %ctaid.x;", f"  mad.lo.u32 %global, %t0, {self.threads}, %id;",
            "  ld.param.u64 %in, [in];", f"  mad.wide.u32 %in, %global, {INPUT_WORDS * 8}, %in;",
            "  ld.param.u64 %out, [out];", f"  mad.wide.u32 %out, %global, {OUTPUT_WORDS * 8}, %out;",
            "  ld.param.u64 %scratch, [scratch];",
            f"  mad.wide.u32 %scratch, %global, {OWN_BYTES}, %scratch;",
            "  ld.param.u64 %table, [table];", "  ld.param.u64 %sums, [sums];",
            "  mov.u64 %own, own;", "  cvta.local.u64 %own_generic, %own;",
            "  mov.u64 %slots, slots;", "  cvta.shared.u64 %slots_generic, %slots;",
            f"  mad.wide.u32 %slot, %id, {SLOT_BYTES}, %slots;",
            "  cvta.shared.u64 %slot_generic, %slot;", "  mov.u64 %constants, constants;",
        ]
        word = 0
        for kind in "hrdfg":
            for i in range(COUNT[kind]):
                text.append(f"  ld.global.{'f' if kind in 'fg' else 'u'}{BITS[kind]} %{kind}{i}, "
                            f"[%in+{8 * word}];")
                word += 1
        text.append(f"  ld.global.u32 %t0, [%in+{8 * word}];")
        for i in range(COUNT["p"]):
            text += [f"  bfe.u32 %id, %t0, {i}, 1;", f"  setp.ne.u32 %p{i}, %id, 0;"]
        text.append(f"  mad.lo.u32 %id, %y, {self.width}, %x;")
        for i in range(OWN_BYTES // 8):
            text.append(f"  st.local.u64 [%own+{8 * i}], %d{i % COUNT['d']};")
        for i in range(SLOT_BYTES // 8):
            text.append(f"  st.shared.u64 [%slot+{8 * i}], %d{i % COUNT['d']};")
        text += [f"  setp.lt.u32 %q, %id, {TOTALS};", "  mul.wide.u32 %t64, %id, 8;",
                 "  mov.u64 %at, totals;", "  add.u64 %at, %at, %t64;",
                 "  @%q st.shared.u64 [%at], 0;", "  bar.sync 0;"]
        return "\n".join(text) + "\n"

    def epilogue(self):
        text = ["", "  bar.sync 0;"]
        word = 0
        for kind in "hrdfg":
            for i in range(COUNT[kind]):
                source = f"%{kind}{i}"
                if BITS[kind] < 64:
                    if kind == "f":
                        text.append(f"  mov.b32 %t0, {source};")
                        source = "%t0"
                    text.append(f"  cvt.u64.u{BITS[kind]} %t64, {source};")
                    source = "%t64"
                text.append(f"  st.global.b64 [%out+{8 * word}], {source};")
                word += 1
        text.append("  mov.u64 %t64, 0;")
        for i in range(COUNT["p"]):
            text.append(f"  @%p{i} or.b64 %t64, %t64, {1 << i};")
        text.append(f"  st.global.u64 [%out+{8 * word}], %t64;")
        word += 1
        for i in range(OWN_BYTES // 8):
            text += [f"  ld.local.u64 %t64, [%own+{8 * i}];",
                     f"  st.global.u64 [%out+{8 * word}], %t64;"]
            word += 1
        for i in range(SLOT_BYTES // 8):
            text += [f"  ld.shared.u64 %t64, [%slot+{8 * i}];",
                     f"  st.global.u64 [%out+{8 * word}], %t64;"]
            word += 1
        text += [f"  setp.lt.u32 %q, %id, {TOTALS};", "  mul.wide.u32 %t64, %id, 8;",
                 "  mov.u64 %at, totals;", "  add.u64 %at, %at, %t64;", "  mov.u64 %t64, 0;",
                 "  @%q ld.shared.u64 %t64, [%at];", f"  st.global.u64 [%out+{8 * word}], %t64;",
                 "  ret;", "}", ""]
        return "\n".join(text)


def write_file(programs, dropped=frozenset()):
    """The C++ file of several programs."""
    counts = " && ".join(f"k{kind.upper()} == {n}" for kind, n in COUNT.items())
    sizes = (f"kInputWords == {INPUT_WORDS} && kOutputWords == {OUTPUT_WORDS} && "
             f"kTotals == {TOTALS} && kTableBytes == {TABLE_BYTES} && "
             f"kConstantBytes == {CONSTANT_BYTES} && kScalars == {SCALARS}")
    parts = ["// Written by sim/tests/differential/generate.py.",
             '#include "sim/tests/differential/program.h"',
             '#include "sim/tests/differential/ptx_semantics.h"', "",
             "namespace paws::differential {", "namespace {", "",
             f"static_assert({counts});", f"static_assert({sizes});", ""]
    entries = []
    for program in programs:
        _, cpp, entry = program.write(dropped)
        parts.append(cpp)
        entries.append(entry)
    parts += ["constexpr Program kPrograms[] = {", *entries, "};", "", "}  // namespace",
              "}  // namespace paws::differential", "",
              'extern "C" paws::differential::Programs paws_differential_programs() {',
              f"  return {{paws::differential::kPrograms, {len(entries)}}};", "}", ""]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--programs", type=int, required=True)
    parser.add_argument("--ptx", type=pathlib.Path)
    arguments = parser.parse_args()
    programs = [Program(arguments.seed, i) for i in range(arguments.programs)]
    arguments.out.write_text(write_file(programs))
    if arguments.ptx:
        arguments.ptx.mkdir(parents=True, exist_ok=True)
        for program in programs:
            (arguments.ptx / f"{program.name}.ptx").write_text(program.write()[0])


if __name__ == "__main__":
    sys.exit(main())
