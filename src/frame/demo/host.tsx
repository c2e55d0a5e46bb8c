/**
 * The demo's host page: plays an operator's website around the frame, on another origin than the frame's. It mints sessions on
 * its server, answers the frame's messages, and keeps its own cash ledger by the service's instructions.
 */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FeedPage } from '../../wire/feed.ts';
import type { Position } from '../../wire/position.ts';
import { readBoot } from '../boot.ts';
import { applyItem, applyTold, dollars, OPENING, type Told } from './money.ts';
import './host.css';

const { frame, slug } = readBoot<{ frame: string; slug: string }>();
const POLL_MS = 1_500;

const user = signal(sessionStorage.getItem('user') ?? newUser());
const theme = signal({ mode: 'inherit', accent: '#4353ff', radius: 'soft', density: 'comfortable' });
const locale = signal('en');
const sizing = signal('pane');
const height = signal(720);
const ledger = signal(OPENING);
const positions = signal<readonly Position[]>([]);
const sessionId = signal<string | null>(null);
type Speaker = 'frame' | 'page' | 'webhook';
const talk = signal<readonly { readonly id: number; readonly from: Speaker; readonly text: string }[]>([]);
let cursor: string | null = null;
/** Number of the last delivery that was read. */
let heard = 0;
let said = 0;
let inner: HTMLIFrameElement | null = null;

function newUser(): string {
  const name = `demo-${Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')}`;
  sessionStorage.setItem('user', name);
  return name;
}

function note(from: Speaker, text: string): void {
  talk.value = [{ id: ++said, from, text }, ...talk.value].slice(0, 12);
}

function send(message: { readonly type: string }, shown: string): void {
  inner?.contentWindow?.postMessage(message, frame);
  note('page', shown);
}

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as Answer;
}

window.addEventListener('message', ({ origin, source, data }: MessageEvent<{ type?: unknown } | null>) => {
  if (origin !== frame || source !== inner?.contentWindow || typeof data !== 'object' || data === null) return;
  const message = data as Record<string, unknown>;
  if (message['type'] === 'service.session.required') {
    note('frame', `service.session.required (${String(message['reason'])})`);
    void mint();
  } else if (message['type'] === 'service.height_changed' && typeof message['height'] === 'number') {
    height.value = Math.min(20_000, Math.max(200, message['height']));
    note('frame', `service.height_changed (${message['height']} px)`);
  }
});

async function mint(): Promise<void> {
  try {
    const minted = await request<{ token: string; sessionId: string }>('POST', '/demo/session', { user: user.value });
    sessionId.value = minted.sessionId;
    send({ type: 'service.session', token: minted.token } as { type: string }, 'service.session (token)');
  } catch {
    note('page', 'no session: the service is away');
  }
}

async function follow(): Promise<void> {
  try {
    const mail = await request<{ events: (Told & { number: number })[]; last: number }>(
      'GET',
      `/demo/webhooks?${new URLSearchParams({ user: user.value, after: String(heard) })}`,
    );
    heard = mail.last;
    for (const event of mail.events) {
      ledger.value = applyTold(ledger.value, event);
      note('webhook', event.dedupeKey);
    }
    const query = new URLSearchParams({ user: user.value, ...(cursor !== null && { cursor }) });
    const state = await request<{
      positions: Position[];
      feed: Omit<FeedPage, 'nextCursor'> & { nextCursor: string | null };
    }>('GET', `/demo/state?${query}`);
    cursor = state.feed.nextCursor ?? cursor;
    positions.value = state.positions;
    for (const item of state.feed.items) ledger.value = applyItem(ledger.value, item);
  } catch {
    // Asked again at the next turn.
  }
  window.setTimeout(follow, POLL_MS);
}

function setTheme(change: Partial<typeof theme.value>): void {
  theme.value = { ...theme.value, ...change };
  send({ type: 'service.theme', theme: theme.value } as { type: string }, `service.theme ${JSON.stringify(change)}`);
}

function Host() {
  return (
    <>
      <header class="site">
        <b>Northwind Casino</b>
        <span>an operator’s own page, on {window.location.origin}</span>
        <a href="/docs">API docs</a>
      </header>
      <div class="host">
        <main>
          <Frame />
        </main>
        <aside>
          <Cash />
          <Settle />
          <Controls />
          <Talk />
        </aside>
      </div>
    </>
  );
}

function Frame() {
  const place = useRef<HTMLIFrameElement>(null);
  const query = new URLSearchParams({ operator: slug, locale: locale.value, sizing: sizing.value });
  useEffect(() => {
    inner = place.current;
  });
  return (
    <iframe
      key={query.toString()}
      ref={place}
      title="Prediction markets"
      src={`${frame}/embed/predictions?${query}`}
      style={{ height: sizing.value === 'auto' ? `${height.value}px` : '780px' }}
    />
  );
}

function Cash() {
  const { cash, held, lines } = ledger.value;
  return (
    <section>
      <h2>Your cash ledger</h2>
      <p class="explain">
        Kept by the operator. Applies each instruction of webhooks and feed as given, once; nothing is computed from
        prices.
      </p>
      <dl class="tiles">
        <div>
          <dt>Balance</dt>
          <dd data-test="balance">{dollars(cash)}</dd>
        </div>
        <div>
          <dt>Reserved</dt>
          <dd data-test="reserved">{dollars(held)}</dd>
        </div>
        <div>
          <dt>Available</dt>
          <dd>{dollars(cash - held)}</dd>
        </div>
      </dl>
      {lines.length === 0 ? (
        <p class="explain">Nothing yet. Buy something in the frame.</p>
      ) : (
        <ul class="lines">
          {lines.slice(0, 12).map((line) => (
            <li key={line.id}>
              <span>
                {line.what}
                <code>
                  {line.instruction}, {line.from}
                </code>
              </span>
              <b class={line.cash < 0n ? 'minus' : ''}>
                {line.cash !== 0n
                  ? dollars(line.cash)
                  : `${dollars(line.held < 0n ? -line.held : line.held)} ${line.held < 0n ? 'freed' : 'held'}`}
              </b>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Settle() {
  if (positions.value.length === 0) return null;
  const resolve = (positionId: string, resolution: string) =>
    request('POST', '/demo/resolutions', { user: user.value, positionId, resolution }).catch(() => {});
  return (
    <section>
      <h2>Settle a position</h2>
      <ul class="lines">
        {positions.value.map(({ positionId, side, quantity, operatorMoney }) => (
          <li key={positionId}>
            <span>
              {quantity} {side}
              <code>cost ${operatorMoney.costBasis}</code>
            </span>
            <span class="choices">
              {(['WIN', 'LOSS', 'VOID'] as const).map((word) => (
                <button type="button" key={word} onClick={() => void resolve(positionId, word)}>
                  {word.toLowerCase()}
                </button>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Controls() {
  const { mode, accent, radius, density } = theme.value;
  return (
    <section>
      <h2>What your page decides</h2>
      <div class="controls">
        <Choice
          name="Mode"
          value={mode}
          values={['inherit', 'light', 'dark']}
          onChoose={(value) => setTheme({ mode: value })}
        />
        <Choice
          name="Radius"
          value={radius}
          values={['sharp', 'soft', 'round']}
          onChoose={(value) => setTheme({ radius: value })}
        />
        <Choice
          name="Density"
          value={density}
          values={['comfortable', 'compact']}
          onChoose={(value) => setTheme({ density: value })}
        />
        <label>
          Accent
          <input type="color" value={accent} onInput={(event) => setTheme({ accent: event.currentTarget.value })} />
        </label>
        <Choice
          name="Language"
          value={locale.value}
          values={['en', 'es', 'pt', 'hr']}
          onChoose={(value) => {
            locale.value = value;
          }}
        />
        <Choice
          name="Sizing"
          value={sizing.value}
          values={['pane', 'auto']}
          onChoose={(value) => {
            sizing.value = value;
          }}
        />
      </div>
      <p class="row">
        <button
          type="button"
          disabled={sessionId.value === null}
          onClick={() => void request('DELETE', `/demo/session/${sessionId.value}`).catch(() => {})}
        >
          Revoke the session
        </button>
        <button
          type="button"
          onClick={() => {
            newUser();
            window.location.reload();
          }}
        >
          Another customer
        </button>
      </p>
      <p class="explain">
        Customer <code>{user.value}</code>
      </p>
    </section>
  );
}

function Choice(props: {
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChoose: (value: string) => void;
}) {
  return (
    <label>
      {props.name}
      <select value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        {props.values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  );
}

const ARROWS: Record<Speaker, string> = { frame: '← ', page: '→ ', webhook: '⇐ webhook ' };

function Talk() {
  return (
    <section>
      <h2>Messages</h2>
      <ul class="talk">
        {talk.value.map(({ id, from, text }) => (
          <li key={id} class={from}>
            {ARROWS[from]}
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

const root = document.getElementById('app');
if (root !== null) render(<Host />, root);
void follow();
