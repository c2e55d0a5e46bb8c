/** Events of every kind for the frame to draw, one of them with everything hostile that a venue could send. */
import type { Sql } from '../../src/db/client.ts';
import { seed } from '../catalogue/seed.ts';

const DEEP = { bids: [[0.55, 100_000]], asks: [[0.57, 100_000]] } as const;

export const HOSTILE_TITLE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"\'}{;';

export async function seedKinds(sql: Sql): Promise<void> {
  await seed(sql, [
    {
      id: 'rain',
      title: 'Will it rain tomorrow?',
      volume24h: 900,
      contracts: [{ id: 'rain', label: 'Yes', ...DEEP, volume24h: 900 }],
    },
    {
      id: 'quiet',
      title: 'Will nobody trade this?',
      volume24h: 100,
      contracts: [{ id: 'quiet', label: 'Yes', bids: [[0.3, 10]] }],
    },
    {
      id: 'field',
      title: 'Who wins the cup?',
      kind: 'mutually_exclusive',
      category: 'sports',
      volume24h: 800,
      contracts: [
        { id: 'reds', label: 'Reds', bids: [[0.2, 9000]], asks: [[0.22, 9000]] },
        { id: 'blues', label: 'Blues', bids: [[0.5, 9000]], asks: [[0.52, 9000]] },
        { id: 'greens', label: 'Greens', bids: [[0.26, 9000]], asks: [[0.28, 9000]] },
      ],
    },
    {
      id: 'ladder',
      title: 'How high will it go?',
      kind: 'cumulative_ladder',
      category: 'finance',
      volume24h: 700,
      contracts: [300, 100, 200].map((threshold) => ({
        id: `above${threshold}`,
        label: `Above ${threshold}`,
        threshold,
        direction: 'above' as const,
        bids: [[1 - threshold / 400 - 0.02, 9000]] as const,
        asks: [[1 - threshold / 400, 9000]] as const,
      })),
    },
    {
      id: 'hostile',
      title: HOSTILE_TITLE,
      subtitle: 'javascript:alert(1)',
      volume24h: 600,
      imageSourceUrl: 'javascript:alert(1)',
      contracts: [{ id: 'hostile', label: '</script><b>bold</b>', ...DEEP }],
    },
  ]);
}
