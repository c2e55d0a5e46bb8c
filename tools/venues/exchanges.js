/** The exchanges whose documents we follow: which routes concern us, where the shapes lie, and which files read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const KALSHI = [
  /^\/account\/(limits|endpoint_costs)$/,
  /^\/api_keys$/,
  /^\/events(\/fee_changes|\/\{event_ticker\})?$/,
  /^\/exchange\/(status|schedule|user_data_timestamp)$/,
  /^\/historical\/(cutoff|markets|orders|fills|positions)$/,
  /^\/markets(\/\{ticker\}(\/orderbook)?|\/orderbooks)?$/,
  /^\/series(\/fee_changes|\/\{series_ticker\})?$/,
  /^\/structured_targets$/,
  /^\/portfolio\/(balance|fills|positions|settlements|deposits|withdrawals|target_balance_allocation)$/,
  /^\/portfolio\/orders(\/\{order_id\})?$/,
  /^\/portfolio\/events\/orders(\/\{order_id\})?$/,
  /^\/portfolio\/order_groups/,
];

/** Channels of Kalshi's stream. */
const CHANNELS = /^\/(root|orderbook_delta|ticker|trade|fill|market_lifecycle_v2|user_orders|order_group_updates)$/;

const GEMINI = [
  /^\/v1\/prediction-markets\/events(\/\{eventTicker\})?$/,
  /^\/v1\/prediction-markets\/terms\/status$/,
  /^\/v1\/prediction-markets\/order(\/batch\/cancel)?$/,
  /^\/v1\/prediction-markets\/orders\/(active|history)$/,
  /^\/v1\/prediction-markets\/positions(\/settled)?$/,
];
const GEMINI_REST = [/^\/v1\/(book\/\{symbol\}|mytrades|balances|heartbeat)$/];

const all = () => true;

/** By the name of the file with their shapes. */
export const EXCHANGES = {
  gemini: { wanted: (path) => GEMINI.some((pattern) => pattern.test(path)), readers: ['gemini'] },
  'gemini-rest': { wanted: (path) => GEMINI_REST.some((pattern) => pattern.test(path)), readers: ['gemini'] },
  kalshi: { wanted: (path) => KALSHI.some((pattern) => pattern.test(path)), readers: ['kalshi'] },
  'kalshi-stream': { wanted: (path) => CHANNELS.test(path), readers: ['kalshi'] },
  'polymarket-clob': { wanted: all, readers: ['polymarket'] },
  'polymarket-data': { wanted: all, readers: ['polymarket'] },
  'polymarket-data-v2': { wanted: all, readers: ['polymarket'] },
  'polymarket-gamma': { wanted: all, readers: ['polymarket'] },
};

export const shapesFile = (name) => join(root, 'fixtures', 'venues', `${name}.json`);

export function keptShapes(name) {
  return JSON.parse(readFileSync(shapesFile(name), 'utf8'));
}

/** The files in which a word stands, from the root of the repository: those of the adapter, else those of the emulator. */
export function readersOf(exchange) {
  const found = ['venues', 'emulators'].map((room) =>
    EXCHANGES[exchange].readers.flatMap((name) => filesIn(`src/${room}/${name}`)),
  );
  return (word) => {
    const pattern = new RegExp(`\\b${word}\\b`);
    const [ours = [], emulated = []] = found.map((files) =>
      files.filter(({ text }) => pattern.test(text)).map(({ file }) => file),
    );
    return ours.length > 0 ? ours : emulated;
  };
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(join(root, folder, file), 'utf8') }));
}
