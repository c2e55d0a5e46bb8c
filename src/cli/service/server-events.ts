/** Reads server-sent events from a response body as they arrive. It does not reconnect. */

export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Ends when the body does; comments are skipped. */
export async function* readServerEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) {
        yield event;
      }
    }
  }
}

function readBlock(block: string): ServerEvent | undefined {
  let id = '';
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (name === 'id') {
      id = value ?? '';
    } else if (name === 'event') {
      event = value ?? event;
    } else if (name === 'data') {
      data.push(value ?? '');
    }
  }
  return data.length === 0 ? undefined : { id, event, data: data.join('\n') };
}
