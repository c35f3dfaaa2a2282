interface Notice {
  title: string;
  body: string;
  /** One with the same tag replaces it. */
  tag: string;
  onOpen: () => void;
}

/** The system's own notice. False: this browser, as most on phones do, lets only a service worker show one. */
export function showNotice({ title, body, tag, onOpen }: Notice): boolean {
  try {
    const notice = new Notification(title, { body, tag: `groundcontrol ${tag}`, icon: '/icons/icon-192.png' });
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
