/**
 * The order that is signed for Polymarket: its fields, its hash, which is its id at the exchange, and its signature for each kind of
 * wallet. Markets of either version of the protocol have the same order and a contract of their own. Pure.
 * https://docs.polymarket.com, "Place an order", "API integrations of protocol V2"
 */
import type { Address, Hex } from 'viem';
import { sign } from 'viem/accounts';
import { hashTypedData as hashInWallet, wrapTypedDataSignature } from 'viem/experimental/erc7739';
import { hashTypedData } from 'viem/utils';

export const CHAIN_ID = 137;
/** For markets of the first version of the protocol, and for those of them that exclude each other. */
export const EXCHANGE = '0xE111180000d2663C0091e4f400237545B87B996B';
export const NEG_RISK_EXCHANGE = '0xe2222d279d744050d28e00520010520000310F59';
/** For markets of the second version. */
export const EXCHANGE_V3 = '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa';
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

/** The domain in which a deposit wallet verifies what its owner signed. */
export const depositWallet = (address: Address) =>
  ({
    name: 'DepositWallet',
    version: '1',
    chainId: CHAIN_ID,
    verifyingContract: address,
    salt: ZERO_WORD,
  }) as const;

function typedOrder(order: OrderStruct, contract: Address) {
  return {
    domain: {
      name: 'Polymarket CTF Exchange',
      version: contract === EXCHANGE_V3 ? '3' : '2',
      chainId: CHAIN_ID,
      verifyingContract: contract,
    },
    types: TYPES,
    primaryType: 'Order',
    message: { ...order, tokenId: BigInt(order.tokenId), side: order.side === 'BUY' ? 0 : 1 },
  } as const;
}

/** The order's id at the exchange. @param contract of the market's exchange. @throws for an address with a wrong checksum */
export function orderHash(order: OrderStruct, contract: Address): Hex {
  return hashTypedData(typedOrder(order, contract));
}

/** What the signer's key signs: the order, or for a deposit wallet the order wrapped in the wallet's own domain (ERC-7739). */
export function signedDigest(order: OrderStruct, contract: Address): Hex {
  if (order.signatureType !== WALLET.deposit) {
    return orderHash(order, contract);
  }
  return hashInWallet({
    ...typedOrder(order, contract),
    verifierDomain: depositWallet(order.signer),
  });
}

/** Deterministic: the same order has the same signature. */
export async function signOrder(order: OrderStruct, contract: Address, privateKey: Hex): Promise<Hex> {
  return sentSignature(order, contract, await sign({ hash: signedDigest(order, contract), privateKey, to: 'hex' }));
}

/** What is sent for a signature of 65 bytes: for a deposit wallet what the contract needs to rebuild the digest follows it. */
export function sentSignature(order: OrderStruct, contract: Address, signature: Hex): Hex {
  return order.signatureType === WALLET.deposit
    ? wrapTypedDataSignature({ ...typedOrder(order, contract), signature })
    : signature;
}
