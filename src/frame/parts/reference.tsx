/** The reference of an order, which support asks for, with a button that copies it. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../texts/texts.ts';

export function Reference({ of }: { readonly of: string }) {
  const text = useRef<HTMLElement>(null);
  const said = useSignal<'copiedReference' | 'copyFailed' | null>(null);
  const copy = async () => {
    if (text.current !== null) {
      window.getSelection()?.selectAllChildren(text.current);
    }
    said.value = (await copied(of)) ? 'copiedReference' : 'copyFailed';
  };
  return (
    <p class="note reference">
      {t('reference')} <code ref={text}>{of}</code>{' '}
      <button type="button" class="link" aria-label={`${t('copy')}: ${t('reference')} ${of}`} onClick={copy}>
        {t('copy')}
      </button>{' '}
      <span role="status">{said.value !== null && t(said.value)}</span>
    </p>
  );
}

/** The page has to allow an embedded frame to use the clipboard; the older way copies what is selected without that. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
