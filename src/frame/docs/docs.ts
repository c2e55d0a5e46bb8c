/** The scripts of the documentation: the language of the samples, copying, light or dark, and the search. */
import { showSearch } from './search.ts';
import '../styles.css';
import './page.css';
import './text.css';
import './code.css';
import './reference.css';
import './search.css';
import './sizes.css';

const COPIED_MS = 1_500;
const root = document.documentElement;

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-language]:not(html)')) {
  button.addEventListener('click', () => chooseLanguage(button));
}
showLanguage();

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.addEventListener('click', () => void copy(button));
}

document.querySelector('[data-mode-switch]')?.addEventListener('click', () => {
  const isDark =
    root.dataset['mode'] === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset['mode'] === 'dark';
  root.dataset['mode'] = isDark ? 'light' : 'dark';
  remember('mode', root.dataset['mode']);
});

for (const button of document.querySelectorAll('[data-search]')) {
  button.addEventListener('click', () => void showSearch());
}
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
  const asks = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (asks && !event.altKey) {
    event.preventDefault();
    void showSearch();
  }
});

/** Keeps the button where the reader clicked it, because samples above it may change their height. */
function chooseLanguage(button: HTMLButtonElement): void {
  const before = button.getBoundingClientRect().top;
  root.dataset['language'] = button.dataset['language'];
  remember('language', button.dataset['language'] ?? '');
  showLanguage();
  window.scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
}

/** A group without the chosen language shows its first sample. */
function showLanguage(): void {
  for (const tabs of document.querySelectorAll('.tabs')) {
    const buttons = [...tabs.querySelectorAll<HTMLButtonElement>('[data-language]')];
    const shown = buttons.find((one) => one.dataset['language'] === root.dataset['language']) ?? buttons[0];
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button === shown));
    }
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.parentElement?.querySelector('code')?.textContent ?? '';
  try {
    await navigator.clipboard.writeText(code);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Select and copy';
  }
  window.setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser without storage shows the default next time.
  }
}
