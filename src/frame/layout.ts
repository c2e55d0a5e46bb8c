/** Whether there is room for a ticket beside the event. A frame that is as tall as its content cannot keep it in view. */
import { computed, signal } from '@preact/signals';
import { presentation } from './theme.ts';

const query = window.matchMedia('(min-width: 880px)');
const roomy = signal(query.matches);
query.addEventListener('change', ({ matches }) => {
  roomy.value = matches;
});

export const isWide = computed(() => roomy.value && presentation.value.sizing === 'pane');
