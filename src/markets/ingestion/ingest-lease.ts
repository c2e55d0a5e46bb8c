/**
 * The lease of the worker that follows the venues. Every write to the board carries its epoch (`sql/functions`,
 * ingest_board).
 */
export const INGEST_LEASE = 'ingestion';
