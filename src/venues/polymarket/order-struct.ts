/**
 * The order that is signed for Polymarket (exchange version 2): its fields, its hash, which is its id at the exchange, and its
 * signature for each kind of wallet. Pure. https://docs.polymarket.com, "Place an order"
 */
import {
  addressWord,
  bytesOf,
  concat,
  type Domain,
  domainSeparator,
  type Hex,
  hexOf,
  signDigest,
  structHash,
  textHash,
  typedDataHash,
  word,
} from './typed-data.ts';

const ORDER_TYPE =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)';
const WRAPPED_TYPE = `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${ORDER_TYPE}`;

export const CHAIN_ID = 137n;
export const EXCHANGE = '0xE111180000d2663C0091e4f400237545B87B996B';
export const NEG_RISK_EXCHANGE = '0xe2222d279d744050d28e00520010520000310F59';
export const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;

/** Kinds of wallet that hold the money. */
export const WALLET = { own: 0, proxy: 1, safe: 2, deposit: 3 } as const;

export interface OrderStruct {
  /** Below 2^53: it is sent as a JSON number. */
  readonly salt: bigint;
  /** Holds the money. */
  readonly maker: string;
  readonly signer: string;
  readonly tokenId: string;
  /** What is given, in millionths: dollars for a buy, shares for a sale. */
  readonly makerAmount: bigint;
  /** What is taken at the worst price, in millionths. */
  readonly takerAmount: bigint;
  readonly side: 'BUY' | 'SELL';
  readonly signatureType: number;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  readonly metadata: Hex;
  readonly builder: Hex;
}

export function exchangeDomain(negRisk: boolean): Domain {
  return {
    name: 'Polymarket CTF Exchange',
    version: '2',
    chainId: CHAIN_ID,
    verifyingContract: negRisk ? NEG_RISK_EXCHANGE : EXCHANGE,
  };
}

function contentsHash(order: OrderStruct): Uint8Array {
  return structHash(ORDER_TYPE, [
    word(order.salt),
    addressWord(order.maker),
    addressWord(order.signer),
    word(BigInt(order.tokenId)),
    word(order.makerAmount),
    word(order.takerAmount),
    word(order.side === 'BUY' ? 0n : 1n),
    word(BigInt(order.signatureType)),
    word(order.timestamp),
    bytesOf(order.metadata),
    bytesOf(order.builder),
  ]);
}

function orderDigest(order: OrderStruct, negRisk: boolean): Uint8Array {
  return typedDataHash(domainSeparator(exchangeDomain(negRisk)), contentsHash(order));
}

/** The order's id at the exchange. */
export function orderHash(order: OrderStruct, negRisk: boolean): Hex {
  return hexOf(orderDigest(order, negRisk));
}

/** What the signer's key signs: the order, or for a deposit wallet the order wrapped in the wallet's own domain (ERC-7739). */
export function signedDigest(order: OrderStruct, negRisk: boolean): Uint8Array {
  if (order.signatureType !== WALLET.deposit) {
    return orderDigest(order, negRisk);
  }
  const wrapped = structHash(WRAPPED_TYPE, [
    contentsHash(order),
    textHash('DepositWallet'),
    textHash('1'),
    word(CHAIN_ID),
    addressWord(order.signer),
    bytesOf(ZERO_WORD),
  ]);
  return typedDataHash(domainSeparator(exchangeDomain(negRisk)), wrapped);
}

/** Deterministic: the same order has the same signature. */
export function signOrder(order: OrderStruct, negRisk: boolean, privateKey: Uint8Array): Hex {
  const signature = signDigest(signedDigest(order, negRisk), privateKey);
  return order.signatureType === WALLET.deposit ? hexOf(concat(signature, wrapping(order, negRisk))) : hexOf(signature);
}

/** What follows the signature of a deposit wallet, so that the contract can rebuild the digest. */
export function wrapping(order: OrderStruct, negRisk: boolean): Uint8Array {
  const type = new TextEncoder().encode(ORDER_TYPE);
  return concat(
    domainSeparator(exchangeDomain(negRisk)),
    contentsHash(order),
    type,
    Uint8Array.of(type.length >> 8, type.length & 0xff),
  );
}
