#!/usr/bin/env python3
"""Checks an export of an Inlay feed against a signed checkpoint. Python's standard library alone; asks nobody.

    inlay feed tail > facts.jsonl                  all items, one a line
    inlay feed checkpoint --out checkpoint.json    the checkpoint, with the hash of each item
    python3 verify.py facts.jsonl checkpoint.json [--key VERIFIER_KEY]

What it checks: the Ed25519 signature of the checkpoint (C2SP signed-note), then every item as a leaf of the RFC 6962 tree: its
RFC 8785 form without "cursor". Exit 0: all fits. Exit 1: it names the first item that does not. Exit 2: wrong usage.
--key is the verifier key that you kept, the first or a later one: items "log.key_changed" lead to the key that signed the
checkpoint. Without it the key in the checkpoint file is used, which proves less.
"""
import argparse
import base64
import decimal
import hashlib
import json
import sys

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
KEY_CHANGED = "log.key_changed"


class Fault(Exception):
    pass


# RFC 8785
def number_text(value):
    """A JSON number as ECMAScript writes it; Python finds the same shortest digits."""
    if isinstance(value, int) and abs(value) <= 2**53 or value == 0:
        return str(int(value))
    negative, digits, exponent = decimal.Decimal(repr(float(value))).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent
    if 0 < point <= 21:
        text = digits[:point].ljust(point, "0") + ("." + digits[point:] if digits[point:] else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return "-" * negative + text


def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False)


# RFC 6962
def leaf_hash(item):
    fact = {key: value for key, value in item.items() if key != "cursor"}
    return hashlib.sha256(b"\0" + canonical(fact).encode("utf-8", "surrogatepass")).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(row):
    root = None
    while row:
        if len(row) % 2:
            root = row[-1] if root is None else node_hash(row[-1], root)
        row = [node_hash(row[n], row[n + 1]) for n in range(0, len(row) - 1, 2)]
    return root or hashlib.sha256().digest()


# Ed25519 (RFC 8032), verification alone
def add(a, b):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = a, b
    aa, bb = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    cc, dd = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = bb - aa, dd - cc, dd + cc, bb + aa
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decode(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - x2) % P or (x == 0 and sign):
        raise Fault("the signature is no point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def signed_by(public, message, signature):
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= Q:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % Q
    left, right = times(s, decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))), add(decode(signature[:32]), times(h, decode(public)))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# C2SP signed-note and tlog-checkpoint
def open_note(note, key):
    name, _, coded = key.split("+", 2)
    coded = base64.b64decode(coded)
    key_hash = hashlib.sha256(name.encode() + b"\n" + coded).digest()[:4]
    text, _, lines = note.rpartition("\n\n")
    for line in lines.splitlines():
        signature = base64.b64decode(line.split(" ")[2])
        if line.startswith(f"\u2014 {name} ") and signature[:4] == key_hash and coded[:1] == b"\1":
            if signed_by(coded[1:], (text + "\n").encode(), signature[4:]):
                return text.split("\n")
    raise Fault(f"the note has no valid signature of {name}")


def open_checkpoint(note, key):
    origin, size, root = open_note(note, key)[:3]
    return origin, int(size), base64.b64decode(root)


def key_at(origin, trusted, changes, size):
    """The key that signs checkpoints of that size. A change is signed by the key before, if that was not lost, and by the new one."""
    keys = []
    for item in changes:
        number, old, new, note = item["sequence"], *(item["detail"][k] for k in ("previousKey", "verifierKey", "note"))
        text = ["inlay-log-key/v1", origin, str(number), new]
        if old and keys and keys[-1][1] != old or new in (key for _, key in keys):
            raise Fault(f"item {number} changes the key of the log, but not the key that signs, or to an earlier one")
        if any(open_note(note, key) != text for key in (old or new, new)):
            raise Fault(f"item {number} changes the key of the log, but its note says something else")
        keys = (keys or [(0, old)] if old else []) + [(number, new)]
    if keys and trusted not in (key for _, key in keys):
        raise Fault("the trusted key is not proven by the keys in the log")
    return ([trusted] + [key for start, key in keys if start <= size])[-1]


def stored_leaves(kept, size):
    """The leaf hashes that the checkpoint file holds, if they lead to the signed root; else None."""
    tiles = sorted((t for t in kept.get("tiles", []) if t["level"] == 0), key=lambda t: t["index"])
    data = b"".join(base64.b64decode(t["hashes"]) for t in tiles)
    return [data[n:n + 32] for n in range(0, len(data), 32)] if len(data) == size * 32 else None


def verify(lines, kept, trusted):
    maybe = map(json.loads, (line for line in lines if KEY_CHANGED in line))
    changes = [item for item in maybe if item["type"] == KEY_CHANGED]
    lines.seek(0)
    origin, size = kept["checkpoint"].split("\n")[:2]
    origin, size, root = open_checkpoint(kept["checkpoint"], key_at(origin, trusted, changes, int(size)))
    stored = stored_leaves(kept, size)
    if stored is not None and root_of(stored) != root:
        raise Fault("the hashes in the checkpoint file are not those that were signed")
    leaves = []
    for number, line in zip(range(1, size + 1), lines):
        try:
            item = json.loads(line)
        except ValueError:
            raise Fault(f"item {number} is not JSON")
        if not isinstance(item, dict) or item.get("sequence") != number:
            raise Fault(f"item {number} is missing")
        leaves.append(leaf_hash(item))
        if stored is not None and leaves[-1] != stored[number - 1]:
            raise Fault(f"item {number} ({item.get('id')}) is not the one that was sealed")
    if len(leaves) < size or root_of(leaves) != root:
        raise Fault(f"item {len(leaves) + 1} is missing" if len(leaves) < size else f"the items do not have the signed root")
    return f"{size} items of {origin} are those of the checkpoint."


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("facts", type=argparse.FileType(encoding="utf-8"))
    parser.add_argument("checkpoint", type=argparse.FileType(encoding="utf-8"))
    parser.add_argument("--key")
    given = parser.parse_args()
    kept = json.load(given.checkpoint)
    try:
        print(verify(given.facts, kept, given.key or kept["verifierKey"]))
    except (Fault, KeyError, TypeError, ValueError) as fault:
        print(f"does not fit: {fault}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
