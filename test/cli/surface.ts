/** The commands that running.md names for the service operator and for partners, written down a second time. */

export const SURFACE = [
  ...[
    'up',
    'serve',
    'worker',
    'migrate',
    'doctor',
    'top',
    'login',
    'conformance',
    'categories',
    'quote',
    'order',
    'buy',
    'sell',
    'whoami',
    'status',
    'open',
    'emulate',
  ],
  ...['create', 'update', 'list', 'show', 'suspend', 'resume', 'pause-trading', 'resume-trading'].map(
    (w) => `operators ${w}`,
  ),
  ...['operators collateral deposit', 'operators collateral withdraw', 'rates set', 'jobs list', 'jobs retry'],
  ...['issue', 'list', 'revoke', 'rotate'].map((w) => `keys ${w}`),
  ...['list', 'suspend', 'resume', 'history'].map((w) => `customers ${w}`),
  ...['add', 'list', 'disable', 'enable', 'rotate', 'test', 'deliveries', 'replay', 'listen', 'verify'].map(
    (w) => `webhooks ${w}`,
  ),
  ...['resolve', 'stuck', 'arm', 'lookup', 'list', 'show', 'confirm-reserve', 'cancel', 'find'].map(
    (w) => `orders ${w}`,
  ),
  ...['sync', 'pause', 'resume', 'verify', 'match', 'unmatch', 'groups', 'resolve', 'reopen'].map(
    (w) => `markets ${w}`,
  ),
  ...['list', 'account', 'compare', 'transfer', 'resume'].map((w) => `venues ${w}`),
  ...['book', 'thaw', 'next', 'fee', 'list'].map((w) => `paper ${w}`),
  ...['books create', 'books list', 'ledger verify', 'reconciliation run'],
  ...['close', 'list', 'statement'].map((w) => `periods ${w}`),
  ...['required', 'list', 'approve', 'refuse'].map((w) => `approvals ${w}`),
  ...['ledger correct', 'reconciliation import', 'reconciliation breaks list', 'reconciliation breaks close'],
  ...['profiles list', 'profiles use', 'profiles remove', 'events list', 'events show', 'prices watch'],
  ...['positions list', 'positions show', 'settlements list', 'embed-sessions mint', 'embed-sessions revoke'],
  ...['limits get', 'limits set', 'limits clear', 'jurisdiction get', 'jurisdiction set'],
  ...['resolve', 'scenarios arm', 'scenarios list', 'scenarios disarm', 'balance', 'ledger', 'fund', 'run'].map(
    (w) => `sandbox ${w}`,
  ),
  ...['feed checkpoint', 'feed verify', 'feed witness', 'ledger checkpoint', 'ledger prove'],
  ...['feed tail', 'reconciliation show', 'reconciliation export', 'reconciliation compare'],
];
