import { PROOF_KEY } from '../../../src/contract/proof.ts';
import { ownName } from '../api/base-path.ts';

/** This browser's identity. The private key can sign, but no script can read it. */
export interface Identity {
  deviceId: string;
  keys: CryptoKeyPair;
}

const DATABASE = ownName('groundcontrol');
const STORE = 'identity';
const KEY = 'own';

/** If storage is blocked (some private windows), only this page stays signed in. */
let unsaved: Identity | undefined;

export async function loadIdentity(): Promise<Identity | undefined> {
  if (unsaved) return unsaved;
  return run('readonly', (store) => store.get(KEY)).catch(() => undefined);
}

export async function saveIdentity(identity: Identity): Promise<void> {
  await run('readwrite', (store) => store.put(identity, KEY)).catch(() => {
    unsaved = identity;
  });
}

export async function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(PROOF_KEY, false, ['sign']);
}

function run(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<Identity | undefined> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}
