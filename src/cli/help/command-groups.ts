/** The first words of the command line, grouped by who uses them. A test checks that each command and topic is in one group. */

export interface CommandGroup {
  readonly name: string;
  /** A word: a topic or a command of its own, with its line in the root help. */
  readonly words: Readonly<Record<string, string>>;
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    name: 'TRADE',
    words: {
      events: 'Browse events',
      categories: 'List the categories of the catalogue',
      prices: 'Watch prices',
      buy: 'Quote, ask, and buy',
      sell: 'Quote, ask, and sell contracts of a customer',
      quote: 'Quote a price for a customer',
      order: 'Order at a quoted price',
      positions: 'Positions of customers',
    },
  },
  {
    name: 'SUPPORT',
    words: {
      orders: 'Orders: list, show, cancel, look up, resolve the unknown',
      customers: 'End users of an operator: show, list, history, suspend, resume',
      limits: 'Limits of a customer',
      jurisdiction: 'Where a customer is',
      'embed-sessions': 'Sessions of the embedded frame',
      webhooks: 'Endpoints, deliveries and replays; a local receiver',
    },
  },
  {
    name: 'FINANCE',
    words: {
      reconciliation: 'Checks of the books, exports, comparisons, statements',
      settlements: 'The settlements register',
      feed: 'The reconciliation feed',
      ledger: 'Balances, corrections, proofs',
      periods: 'Accounting periods: close, list, signed statements',
    },
  },
  {
    name: 'TEST',
    words: {
      sandbox: 'Wallets, results and scripted scenarios of sandbox tenants',
      conformance: 'Check a service against the facts of the contract',
      paper: 'The paper venue: script books, fills, fees and results',
      emulate: 'Run an emulated exchange on this machine',
    },
  },
  {
    name: 'OPERATE',
    words: {
      up: 'Run the whole service: database, API, workers, paper venue',
      serve: 'Run the API only',
      worker: 'Run the jobs and the feed ingestion only',
      migrate: 'Update the database to the schema of this release',
      doctor: 'Check what the service needs',
      top: 'Show how busy the service is',
      operators: 'Tenants: create, change, suspend, pause trading, collateral',
      keys: 'API keys: issue, list, rotate, revoke',
      markets: 'The catalogue: sync, pause, verify, match, resolve',
      books: 'Operator books: named lists of offered events',
      venues: 'The venues: connections, and our accounts there',
      rates: 'Display rates of currencies',
      jobs: 'Background jobs: list and retry',
      approvals: 'Changes that a second person approves',
      staff: 'The people who approve: add, list, remove',
      audit: 'What the service operator did, and who',
    },
  },
  {
    name: 'THIS MACHINE',
    words: {
      login: 'Store an API key in a profile',
      profiles: 'Keys that are stored on this machine',
      status: 'Show the service, your key and the catalogue at a glance',
      whoami: 'Show the operator, the scopes and the limits of your key',
      open: 'Open the documentation or the demo in a browser',
      autocomplete: 'Set up completion in this shell',
      help: 'Show the help of a command',
      version: 'Show the versions of Inlay and Node',
    },
  },
];
