/** The states that `npm run pictures` shows: how each one is reached, by roles and names as a customer reaches it. */
import { join } from 'node:path';

const SETTLE_MS = 700;

/**
 * The frame alone, in an otherwise empty page of an operator.
 * @param suspend suspends a customer of the demo; does nothing if the service is not ours
 * @param refuse lets customers of the demo trade from nowhere, or from everywhere again; as above
 */
export async function states({ browser, url, width, scheme, out, only, suspend, refuse }) {
  const height = width < 700 ? 844 : 900;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  context.setDefaultTimeout(30_000);
  const user = `demo-p${Math.random().toString(36).slice(2, 8)}`;
  const base = new URL(url);
  const frameOrigin = `http://localhost:${base.port}`;
  const open = async (query = '', { answers = true, path = '' } = {}) => {
    const page = await context.newPage();
    await page.route('**/pictures-host', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: hostPage(
          `${frameOrigin}/embed/predictions${path}?operator=demo-visitors&share=${encodeURIComponent(`${url}/demo?event={event}`)}${query}`,
          user,
          answers,
        ),
      }),
    );
    await page.goto(`${url}/pictures-host`);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    const keep = async (name, whole = true) => {
      if (only !== '' && !name.includes(only)) {
        return;
      }
      await page.waitForTimeout(SETTLE_MS);
      if (whole) {
        const tall = await frame.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width, height: Math.min(Math.max(height, tall), 2600) });
        await page.waitForTimeout(250);
      }
      await page.screenshot({ path: join(out, `${name}-${scheme}-${width}.png`) });
      await page.setViewportSize({ width, height });
    };
    return { page, frame, keep };
  };
  const attempt = async (name, act) => {
    try {
      await act();
    } catch (error) {
      process.stderr.write(`${name} ${scheme} ${width}: ${error.message.split('\n')[0]}\n`);
    }
  };

  await attempt('markets', async () => {
    const { page, frame, keep } = await open();
    await frame.locator('.card h2').first().waitFor();
    await keep('markets', false);
    await frame.getByRole('button', { name: 'Sports', exact: true }).click();
    await frame.locator('.part').first().waitFor();
    await keep('sports', false);
    await frame.getByRole('button', { name: 'All', exact: true }).first().click();
    await frame.locator('.card h2').first().waitFor();
    await frame
      .getByRole('button', { name: /^Favourite: / })
      .nth(1)
      .click();
    await frame.getByRole('button', { name: '★ Favourites' }).click();
    await frame.locator('.card h2').first().waitFor();
    await keep('favourites', false);
    await frame
      .getByRole('button', { name: /^Favourite: / })
      .first()
      .click();
    await keep('no-favourites', false);
    await frame.getByRole('searchbox').fill('nothing of the kind');
    await frame.locator('.empty').getByText('nothing of the kind').waitFor();
    await keep('no-results', false);
    await page.close();
  });
  for (const [name, search, title] of [
    ['event-binary', 'recession', /recession in 2027/],
    ['event-field', 'super bowl', /Super Bowl/],
    ['event-ladder', 'inflation', /US inflation/],
    ['event-match', 'celtics', /Celtics$/],
    ['event-years', 'moon', /Moon/],
    ['five-minutes', 'bitcoin up or down', /Bitcoin up or down/],
  ]) {
    await attempt(name, async () => {
      const { page, frame, keep } = await open();
      await frame.getByRole('searchbox').fill(search);
      await frame.getByRole('button', { name: title }).first().click();
      await frame.locator('.plot canvas, .chart-empty:not(.skeleton)').first().waitFor();
      await keep(name);
      if (name === 'event-field') {
        await frame.locator('.depth summary').click();
        await frame.locator('.buyers').waitFor();
        await frame.getByRole('button', { name: 'Share' }).click();
        await keep('depth');
      }
      if (name === 'event-binary') {
        await frame.locator('.price.yes').first().click();
        await keep('ticket');
        await frame.locator('.ticket button[type=submit]').click();
        await frame.locator('.countdown').waitFor();
        await keep('quote');
        await frame.locator('.offer .button').first().click();
        await frame.locator('.receipt, .moved').first().waitFor();
        if (await frame.locator('.moved').count()) {
          await frame.locator('.offer .button').first().click();
          await frame.locator('.receipt').waitFor();
        }
        await keep('receipt');
      }
      if (name === 'event-field') {
        await frame.locator('.row .price.yes').first().click();
        await keep('ticket-field');
        await frame.locator('.ticket button[type=submit]').click();
        await frame.locator('.offer .button').first().click();
        await frame.locator('.receipt, .moved').first().waitFor();
      }
      await page.close();
    });
  }
  await attempt('positions', async () => {
    const { page, frame, keep } = await open();
    await frame.getByRole('button', { name: 'Positions' }).click();
    await frame.locator('.figures').first().waitFor();
    await keep('positions');
    await frame
      .getByRole('button', { name: /Cash out/ })
      .first()
      .click();
    await keep('cash-out');
    const held = await page.evaluate((who) => fetch(`/demo/state?user=${who}`).then((answer) => answer.json()), user);
    for (const [index, { positionId }] of held.positions.entries()) {
      await page.evaluate(
        (body) =>
          fetch('/demo/resolutions', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }).then((answer) => answer.text()),
        { user, positionId, resolution: index % 2 === 0 ? 'WIN' : 'LOSS' },
      );
    }
    await page.close();
    const later = await open();
    await later.frame.getByRole('button', { name: 'Positions' }).click();
    await later.frame.getByRole('button', { name: 'Past' }).click();
    await later.frame.locator('.card').first().waitFor();
    await later.keep('settled');
    await later.frame.getByRole('button', { name: 'Activity' }).click();
    await later.frame.locator('.reference').first().waitFor();
    await later.keep('activity');
    await later.page.close();
  });
  await attempt('spanish', async () => {
    const { page, frame, keep } = await open('&locale=es&region=ar');
    await frame.getByRole('searchbox').fill('inflaci');
    await frame.locator('.card .title').first().click();
    await frame.locator('.plot canvas, .chart-empty:not(.skeleton)').first().waitFor();
    await keep('spanish');
    await page.close();
  });
  await attempt('refused', async () => {
    const waiting = await open('', { answers: false });
    await waiting.frame.locator('.waiting').waitFor();
    await waiting.keep('waiting', false);
    await waiting.page.close();
    const unknown = await open('', { path: '/no-such-event' });
    await unknown.page.waitForTimeout(1_000);
    await unknown.keep('unknown-event', false);
    await unknown.page.close();
    const away = await open();
    await away.frame.locator('.card h2').first().waitFor();
    await context.setOffline(true);
    await away.frame.getByRole('button', { name: 'Positions' }).click();
    await away.frame.locator('.banner').waitFor();
    await away.keep('away', false);
    await context.setOffline(false);
    await away.page.close();
    refuse(true);
    try {
      const elsewhere = await open();
      await elsewhere.page.waitForTimeout(2_500);
      await elsewhere.keep('refused-place', false);
      await elsewhere.page.close();
    } finally {
      refuse(false);
    }
    suspend(user);
    const suspended = await open();
    await suspended.page.waitForTimeout(1_500);
    await suspended.keep('suspended');
    await suspended.page.close();
  });
  await context.close();
}

/** Our own pages. */
export async function pages({ browser, url, width, scheme, out, only }) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  for (const [name, path, sign] of [
    ['landing', '/', '.card, .hero'],
    ['demo', '/demo', 'iframe'],
    ['docs', '/docs', 'body'],
    ['docs-guide', '/docs/guides/webhooks', 'body'],
    ['docs-reference', '/docs/reference/trading', 'body'],
  ]) {
    if (only !== '' && !name.includes(only)) {
      continue;
    }
    const page = await context.newPage();
    await page.goto(url + path);
    await page.locator(sign).first().waitFor();
    await page.waitForTimeout(3_000);
    await page.screenshot({ path: join(out, `${name}-${scheme}-${width}.png`), fullPage: width >= 1280 });
    await page.close();
  }
  await context.close();
}

function hostPage(src, user, answers) {
  return `<!doctype html><html lang="en"><title>Pictures</title><style>body{margin:0}iframe{position:fixed;inset:0;width:100%;height:100%;border:0}</style>
<iframe title="Prediction markets" src="${src}"></iframe><script>
const frame = document.querySelector('iframe');
addEventListener('message', async ({ data, source }) => {
  if (!${answers} || source !== frame.contentWindow || data?.type !== 'service.session.required') return;
  const answer = await fetch('/demo/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ user: '${user}' }) });
  const { token } = await answer.json();
  frame.contentWindow.postMessage({ type: 'service.session', token }, '*');
});
</script></html>`;
}
