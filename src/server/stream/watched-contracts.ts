/** The contracts that connections watch, and the groups of connections that watch the same ones. Each exists while somebody watches it. */
import type { Board } from '../../markets/board/board.ts';
import { createGroup, type Group, type Instrument } from './group.ts';
import { createInstrument, updateInstrument } from './instrument.ts';

export interface WatchedContracts {
  readonly size: number;
  has(contractId: string): boolean;
  /** The group that watches exactly these contracts of the board. */
  groupOf(contractIds: readonly string[], now: Date): Group;
  /** Forgets a group without connections, and the contracts that only it watched. */
  release(group: Group): void;
  /** Updates these contracts from the board. @returns the groups that have something to send */
  update(contractIds: Iterable<string>, now: Date, nextId: () => number): Iterable<Group>;
  /** Contracts that have passed their close and of which `closed` was not sent. */
  closing(now: Date): string[];
}

export function createWatchedContracts(board: Board): WatchedContracts {
  const instruments = new Map<string, Instrument>();
  const groups = new Map<string, Group>();

  return {
    get size() {
      return instruments.size;
    },
    has: (contractId) => instruments.has(contractId),
    groupOf(contractIds, now) {
      const key = contractIds.toSorted().join();
      const known = groups.get(key);
      if (known !== undefined) {
        return known;
      }
      const members = contractIds.flatMap((contractId) => {
        const contract = board.contracts.get(contractId);
        const instrument = instruments.get(contractId) ?? (contract && createInstrument(contract, now));
        if (instrument === undefined) {
          return [];
        }
        instruments.set(contractId, instrument);
        return [instrument];
      });
      const group = createGroup(key, members);
      groups.set(key, group);
      return group;
    },
    release(group) {
      if (group.connections.size > 0 || groups.get(group.key) !== group) {
        return;
      }
      groups.delete(group.key);
      for (const instrument of group.instruments) {
        instrument.groups.delete(group);
        if (instrument.groups.size === 0) {
          instruments.delete(instrument.contractId);
        }
      }
    },
    update(contractIds, now, nextId) {
      const touched = new Set<Group>();
      for (const contractId of contractIds) {
        const instrument = instruments.get(contractId);
        if (instrument === undefined || !updateInstrument(instrument, board.contracts.get(contractId), now, nextId)) {
          continue;
        }
        for (const group of instrument.groups) {
          group.changed.push(instrument);
          touched.add(group);
        }
      }
      return touched;
    },
    closing(now) {
      const time = now.getTime();
      return [...instruments.values()]
        .filter(({ stopped, closesAt }) => !stopped && closesAt <= time)
        .map(({ contractId }) => contractId);
    },
  };
}
