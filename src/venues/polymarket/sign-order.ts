/**
 * The order that is signed for Polymarket (exchange version 2): its fields, its hash, which is its id at the exchange, and its
 * signature for each kind of wallet. Pure. https://docs.polymarket.com, "Place an order"
 */
import type { Address, Hex } from 'viem';
import { sign } from 'viem/accounts';
import { hashTypedData as hashInWallet, wrapTypedDataSignature } from 'viem/experimental/erc7739';
import { hashTypedData } from 'viem/utils';

export const CHAIN_ID = 137;
export const EXCHANGE = '0xE111180000d2663C0091e4f400237545B87B996B';
export const NEG_RISK_EXCHANGE = '0xe2222d279d744050d28e00520010520000310F59';
export const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;

/** Kinds of wallet that hold the money. */
export const WALLET = { own: 0, proxy: 1, safe: 2, deposit: 3 } as const;

const TYPES = {
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
    { name: 'timestamp', type: 'uint256' },
    { name: 'metadata', type: 'bytes32' },
    { name: 'builder', type: 'bytes32' },
  ],
} as const;

export interface OrderStruct {
  /** Below 2^53: it is sent as a JSON number. */
  readonly salt: bigint;
  /** Holds the money. */
  readonly maker: Address;
  readonly signer: Address;
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

function typedOrder(order: OrderStruct, negRisk: boolean) {
  return {
    domain: {
      name: 'Polymarket CTF Exchange',
      version: '2',
      chainId: CHAIN_ID,
      verifyingContract: negRisk ? NEG_RISK_EXCHANGE : EXCHANGE,
    },
    types: TYPES,
    primaryType: 'Order',
    message: { ...order, tokenId: BigInt(order.tokenId), side: order.side === 'BUY' ? 0 : 1 },
  } as const;
}

/** The order's id at the exchange. @throws for an address with a wrong checksum */
export function orderHash(order: OrderStruct, negRisk: boolean): Hex {
  return hashTypedData(typedOrder(order, negRisk));
}

/** What the signer's key signs: the order, or for a deposit wallet the order wrapped in the wallet's own domain (ERC-7739). */
export function signedDigest(order: OrderStruct, negRisk: boolean): Hex {
  if (order.signatureType !== WALLET.deposit) {
    return orderHash(order, negRisk);
  }
  return hashInWallet({
    ...typedOrder(order, negRisk),
    verifierDomain: {
      name: 'DepositWallet',
      version: '1',
      chainId: CHAIN_ID,
      verifyingContract: order.signer,
      salt: ZERO_WORD,
    },
  });
}

/** Deterministic: the same order has the same signature. */
export async function signOrder(order: OrderStruct, negRisk: boolean, privateKey: Hex): Promise<Hex> {
  return sentSignature(order, negRisk, await sign({ hash: signedDigest(order, negRisk), privateKey, to: 'hex' }));
}

/** What is sent for a signature of 65 bytes: for a deposit wallet what the contract needs to rebuild the digest follows it. */
export function sentSignature(order: OrderStruct, negRisk: boolean, signature: Hex): Hex {
  return order.signatureType === WALLET.deposit
    ? wrapTypedDataSignature({ ...typedOrder(order, negRisk), signature })
    : signature;
}
