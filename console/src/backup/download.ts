import type { Caller } from '../server/call.ts';

/** Hours, because a large backup may take that long over a slow network. */
const withinMs = 3_600_000;
const usualName = 'hearth-backup.tar.gz';

/** Saves a backup as a file, through the browser. Reports the number of received bytes. */
export async function downloadBackup(caller: Caller, onBytes: (count: number) => void): Promise<string> {
  const response = await caller.open('/admin/backup', { withinMs });
  const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let count = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    parts.push(next.value);
    count += next.value.length;
    onBytes(count);
  }
  saveFile(new Blob(parts, { type: 'application/gzip' }), name ?? usualName);
  return name ?? usualName;
}

/** Saves a file through the browser. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Revoke the address only after the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
