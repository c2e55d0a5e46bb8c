/** Typed data of EIP-712 as Polymarket uses it: hashes of flat structs, and addresses of keys. Pure. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** `0x` and hexadecimal digits. */
export type Hex = `0x${string}`;

const WORD = 32;
const encoder = new TextEncoder();

export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}

export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** @param hex with or without `0x`. */
export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'));
}

export function textHash(text: string): Uint8Array {
  return keccak(encoder.encode(text));
}

/** A number as one word of 32 bytes. */
export function word(value: bigint): Uint8Array {
  return bytesOf(value.toString(16).padStart(WORD * 2, '0'));
}

/** An address as one word of 32 bytes. */
export function addressWord(address: string): Uint8Array {
  return word(BigInt(address));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

export interface Domain {
  readonly name: string;
  readonly version: string;
  readonly chainId: bigint;
  /** Left out where the domain has none. */
  readonly verifyingContract?: string;
}

export function domainSeparator({ name, version, chainId, verifyingContract }: Domain): Uint8Array {
  const type =
    verifyingContract === undefined
      ? 'EIP712Domain(string name,string version,uint256 chainId)'
      : 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
  const contract = verifyingContract === undefined ? [] : [addressWord(verifyingContract)];
  return keccak(concat(textHash(type), textHash(name), textHash(version), word(chainId), ...contract));
}

/** @param fields words in the order of the type's text. */
export function structHash(type: string, fields: readonly Uint8Array[]): Uint8Array {
  return keccak(concat(textHash(type), ...fields));
}

/** The digest that is signed. */
export function typedDataHash(separator: Uint8Array, struct: Uint8Array): Uint8Array {
  return keccak(concat(Uint8Array.of(0x19, 0x01), separator, struct));
}

/** 65 bytes: r, s, and 27 or 28. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const recovered = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' });
  return concat(recovered.slice(1), Uint8Array.of(27 + (recovered[0] ?? 0)));
}

/** In lower case. @throws for bytes that are no private key. */
export function addressOfKey(privateKey: Uint8Array): Hex {
  return addressOfPoint(secp256k1.getPublicKey(privateKey, false));
}

/** Address of the key that signed, in lower case; undefined for what is no signature. */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array): Hex | undefined {
  const recovery = (signature[64] ?? 0) - 27;
  if (signature.length !== 65 || (recovery !== 0 && recovery !== 1)) {
    return undefined;
  }
  try {
    const recovered = concat(Uint8Array.of(recovery), signature.slice(0, 64));
    const point = secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
    return addressOfPoint(secp256k1.Point.fromBytes(point).toBytes(false));
  } catch {
    return undefined;
  }
}

function addressOfPoint(uncompressed: Uint8Array): Hex {
  return hexOf(keccak(uncompressed.slice(1)).slice(12));
}
