/** The link to a market in the operator's page, which is shown, selected and copied. Empty if the page gave no address. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { boot } from '../boot.ts';
import { copied } from '../parts/figures.tsx';
import { Icon } from '../parts/pictures.tsx';
import { t } from '../texts/texts.ts';
import { shareAddress } from './share-address.ts';

const TEMPLATE = new URLSearchParams(window.location.search).get('share');

export function Share({ event }: { readonly event: CatalogueEvent }) {
  const open = useSignal(false);
  const address = shareAddress(TEMPLATE, boot.origins ?? [], event.slug);
  if (address === null) {
    return null;
  }
  return (
    <>
      <button
        type="button"
        class="tool"
        aria-expanded={open.value}
        aria-controls="share-panel"
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="share" />
        <span>{t('share')}</span>
      </button>
      {open.value && <SharePanel address={address} />}
    </>
  );
}

function SharePanel({ address }: { readonly address: string }) {
  const field = useRef<HTMLInputElement>(null);
  const said = useSignal<'copied' | 'copyFailed' | null>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    // The browser scrolls to the end of the selection, where a customer cannot recognise the address.
    field.current?.scrollTo({ left: 0 });
  }, []);
  const copy = async () => {
    field.current?.select();
    said.value = (await copied(address)) ? 'copied' : 'copyFailed';
  };
  return (
    <div class="share-panel" id="share-panel">
      <label>
        <span>{t('shareLink')}</span>
        <input ref={field} type="url" readOnly value={address} />
      </label>
      <button type="button" class="button plain" onClick={copy}>
        {t('copy')}
      </button>
      <p class="quiet" role="status">
        {said.value !== null && t(said.value)}
      </p>
    </div>
  );
}
