import { sendReceipt as postReceipt } from '../../../src/contract/routes/notify.ts';
import { BASE_PATH, ownName } from '../api/base-path.ts';

/*
 * Tells the daemon that a notification was shown. If a phone can't reach it (the VPN is off), it keeps the receipt and sends it with the next one, or
 * when the page is opened.
 */
interface Receipt {
  id: string;
  token: string;
}

const DATABASE = ownName('groundcontrol-receipts');
const STORE = 'unsent';
const TRIES_MS = [0, 2_000, 8_000];

export async function sendReceipt(receipt: Receipt): Promise<void> {
  await withStore('readwrite', (store) => store.put(receipt));
  for (const pause of TRIES_MS) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    if (await flushReceipts()) return;
  }
}

/** Whether all receipts were sent. */
export async function flushReceipts(): Promise<boolean> {
  const unsent = (await withStore('readonly', (store) => store.getAll())) as Receipt[];
  const sent = await Promise.all(unsent.map(post));
  for (const [index, { id }] of unsent.entries())
    if (sent[index]) await withStore('readwrite', (store) => store.delete(id));
  return sent.every(Boolean);
}

/** 404: the daemon no longer knows this message, so the receipt isn't needed. */
async function post({ id, token }: Receipt): Promise<boolean> {
  try {
    const { ok, status } = await fetch(BASE_PATH + postReceipt.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, token }),
    });
    return ok || status === 404;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function withStore(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' });
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        opening.result.close();
        resolve(request.result);
      };
      transaction.onabort = () => {
        opening.result.close();
        reject(transaction.error);
      };
    };
  });
}
