#!/usr/bin/env python3
"""Checks an export of an Inlay feed against a signed checkpoint. It needs only Python's standard library, and no network.

    inlay feed tail > facts.jsonl                  all items, one a line
    inlay feed checkpoint --out checkpoint.json    the checkpoint, with the keys and the hash of each item
    python3 verify.py facts.jsonl checkpoint.json [--key VERIFIER_KEY]

It checks the signature of the checkpoint (C2SP signed-note), and every item as a leaf of the RFC 6962 tree (its RFC 8785 form
without "cursor"). Exit 1: it names the first that does not fit.
--key is the verifier key that you kept, the first or a later one; without it the key in the file is used, which proves less.
"""
import argparse
import base64
import decimal
import hashlib
import json
import re
import sys

P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


class Fault(Exception):
    pass


# RFC 8785: numbers as ECMAScript writes them; Python finds the same shortest digits
def number_text(value):
    exact = decimal.Decimal(repr(float(value))).normalize()
    if not exact or decimal.Decimal("1e-6") <= abs(exact) < 10**21:
        return format(exact + 0, "f")
    return re.sub(r"e([+-])0*", r"e\1", repr(float(value)))


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


def root_of(row):
    if len(row) < 2:
        return row[0] if row else hashlib.sha256().digest()
    half = 1 << (len(row) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + root_of(row[:half]) + root_of(row[half:])).digest()


# Ed25519 (RFC 8032), verification alone
def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def times(scalar, point):
    result = (0, 1)
    while scalar:
        result, point, scalar = add(result, point) if scalar & 1 else result, add(point, point), scalar >> 1
    return result


def decode(data):
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x2, (P + 3) // 8, P)
    x = x if (x * x - x2) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - x2) % P or (x == 0 and sign):
        raise Fault("the signature is no point of the curve")
    return P - x if x & 1 != sign else x, y


def signed_by(public, message, signature):
    s, base = int.from_bytes(signature[32:], "little"), decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % Q
    return len(signature) == 64 and s < Q and times(s, base) == add(decode(signature[:32]), times(h, decode(public)))


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


def key_at(origin, trusted, changes, size):
    """The key that signs checkpoints of that size. A change is signed by the key before, if that was not lost, and by the new one."""
    keys = []
    for change in changes:
        after, old, new, note = (change[k] for k in ("size", "previousKey", "verifierKey", "note"))
        text = ["inlay-log-key/v1", origin, str(after), new] + ["compromised"] * change["compromised"]
        if keys and (after < keys[-1][0] or old and keys[-1][1] != old) or new in (key for _, key in keys):
            raise Fault(f"the key of the log changed at {after} items, but not that which signs, or to an earlier one")
        if any(open_note(note, key) != text for key in (old or new, new)):
            raise Fault(f"the key of the log changed at {after} items, but its note contradicts it")
        keys = (keys or [(-1, old)] if old else []) + [(after, new)]
    if keys and trusted not in (key for _, key in keys):
        raise Fault("the trusted key is not proven by the keys of the log")
    return ([trusted] + [key for after, key in keys if after < size])[-1]


def stored_leaves(kept, size):
    """The leaf hashes that the checkpoint file holds, if they lead to the signed root; else None."""
    tiles = sorted((t for t in kept.get("tiles", []) if t["level"] == 0), key=lambda t: t["index"])
    data = b"".join(base64.b64decode(t["hashes"]) for t in tiles)
    return [data[n:n + 32] for n in range(0, len(data), 32)] if len(data) == size * 32 else None


def verify(lines, kept, trusted):
    origin, size = kept["checkpoint"].split("\n")[0], int(kept["checkpoint"].split("\n")[1])
    root = base64.b64decode(open_note(kept["checkpoint"], key_at(origin, trusted, kept.get("keys", []), size))[2])
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
    if root_of(leaves) != root:
        raise Fault(f"item {len(leaves) + 1} is missing" if len(leaves) < size else "the items do not have the signed root")
    return f"{size} items of {origin} are those of the checkpoint."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("facts", "checkpoint"):
        parser.add_argument(name, type=argparse.FileType(encoding="utf-8"))
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
