/** The address of a database: postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write. One host or several. */

export interface DatabaseHost {
  readonly name: string;
  readonly port: number;
}

const STATES = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
/** The server that is wanted among several (`target_session_attrs`). */
export type WantedState = (typeof STATES)[number];

export interface DatabaseUrl {
  readonly hosts: readonly DatabaseHost[];
  readonly wanted: WantedState;
  /** The role to log in as; empty if the address contains none. */
  readonly user: string;
  /** Whether statements may be prepared: false with `prepare=false`, for poolers that cannot keep prepared statements. */
  readonly prepared: boolean;
  /** Hosts and ports, for messages. */
  readonly where: string;
  /** The same address with this host only, for a library that does not support several hosts. */
  withHost(host: DatabaseHost): string;
}

const ADDRESS = /^(postgres(?:ql)?:\/\/)((?:[^@/?]*@)?)([^/?]*)(.*)$/;
const DEFAULT_PORT = 5432;
const STATE_PARAMETER = 'target_session_attrs';

/** @throws Error if the text is not an address of PostgreSQL. */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme = '', login = '', where = '', rest = ''] = ADDRESS.exec(text) ?? [];
  const at = (host: string) => new URL(`${scheme}${login}${host}${rest}`);
  const hosts = where.split(',').map((host) => {
    const { hostname, port } = at(host);
    return { name: hostname, port: port === '' ? DEFAULT_PORT : Number(port) };
  });
  if (scheme === '' || (hosts.length > 1 && hosts.some(({ name }) => name === ''))) {
    throw new Error('not an address of PostgreSQL');
  }
  const first = at(where.split(',')[0] ?? '');
  const wanted = STATES.find((state) => state === (first.searchParams.get(STATE_PARAMETER) ?? 'any'));
  if (wanted === undefined) {
    throw new Error(`${STATE_PARAMETER} is one of ${STATES.join(', ')}`);
  }
  return {
    hosts,
    wanted,
    user: decodeURIComponent(first.username),
    prepared: first.searchParams.get('prepare') !== 'false',
    where,
    withHost: ({ name, port }) => {
      const single = at(`${name}:${port}`);
      single.searchParams.delete(STATE_PARAMETER);
      return single.href;
    },
  };
}

export function isDatabaseUrl(text: string): boolean {
  try {
    readDatabaseUrl(text);
    return true;
  } catch {
    return false;
  }
}
