/** `ledger prove`: the inclusion proof of one feed item in the log of an operator. */
import { Flags } from '@oclif/core';
import { notFound } from '../../cli/failure.ts';
import { operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { leafText } from '../../core/log-format/merkle.ts';
import { originOf } from '../../core/log-format/notes.ts';
import { findSequence, listItems } from '../../ledger/log/log-store.ts';
import { getHead, proveInclusion } from '../../ledger/log/prove-log.ts';
import { getOperator } from '../../operators/operators.ts';

interface ItemProof {
  origin: string;
  sequence: number;
  /** The leaf: the item in RFC 8785 form without `cursor`. */
  leaf: string;
  leafHash: string;
  size: number;
  root: string;
  proof: string[];
  checkpoint: string;
}

export default class LedgerProve extends OperatorCommand<typeof LedgerProve> {
  static override hidden = true;
  static override withKey = 'api GET /reconciliation/proof -f sequence=N';
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Prove that an item is in the log of an operator.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo --item 17',
    '<%= config.bin %> <%= command.id %> --operator demo --item stl_019f --json',
  ];
  static override flags = {
    ...operatorFlag,
    item: Flags.string({ helpValue: 'ITEM', required: true, summary: 'Number or id of the feed item.' }),
  };

  async run(): Promise<ItemProof> {
    const { sql } = await this.openContext();
    const { operatorId } = await getOperator(sql, this.flags.operator);
    const { item } = this.flags;
    const sequence = /^\d{1,15}$/.test(item) ? Number(item) : await findSequence(sql, operatorId, item);
    const [found] = sequence === undefined ? [] : await listItems(sql, operatorId, sequence - 1, 1);
    if (sequence === undefined || found?.['sequence'] !== sequence) {
      throw notFound(`The feed of ${this.flags.operator} has no item ${item}.`);
    }
    const head = await getHead(sql, operatorId);
    const { size, leafHash, root, hashes } = await proveInclusion(sql, operatorId, sequence, head.size);
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    const proof: ItemProof = {
      origin: originOf(operatorId),
      sequence,
      leaf: leafText(found),
      leafHash: base64(leafHash),
      size,
      root: base64(root),
      proof: hashes.map(base64),
      checkpoint: head.note,
    };
    this.say(`Item ${sequence} of ${size}, leaf hash ${proof.leafHash}\n${proof.leaf}`);
    this.say(`${proof.proof.join('\n')}`);
    this.say(head.note);
    return proof;
  }
}
