import { BASE_PATH } from '../api/base-path.ts';

interface Notice {
  title: string;
  body: string;
  /** Replaces a notification with the same tag. */
  tag: string;
  onOpen: () => void;
}

/** Shows a system notification. Returns false if this browser only allows that from a service worker, like most on phones. */
export function showNotice({ title, body, tag, onOpen }: Notice): boolean {
  try {
    const notice = new Notification(title, {
      body,
      tag: `groundcontrol ${tag}`,
      icon: `${BASE_PATH}/icons/icon-192.png`,
    });
    notice.onclick = () => {
      window.focus();
      onOpen();
      notice.close();
    };
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
