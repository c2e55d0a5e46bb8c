/** The settings of the frame that the demo's page can change, and the messages between the page, the frame and the service. */
import { locale, setTheme, sizing, theme } from './frame.tsx';
import { newUser, revoke, type Speaker, sessionId, talk, user } from './operator.ts';

export function Controls() {
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
        <button type="button" disabled={sessionId.value === null} onClick={() => void revoke()}>
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

export function Talk() {
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
