// Shows times in the reader's zone, beside UTC.
export function showLocalTimes(root) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  for (const time of root.querySelectorAll("time[datetime]")) {
    const date = new Date(time.dateTime);
    if (isNaN(date)) continue;
    const local = `${format.format(date)} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`;
    if (time.hasAttribute("data-local")) {
      const span = document.createElement("span");
      span.className = "soft";
      span.textContent = ` ${local}`;
      time.after(span);
    } else {
      time.title = local;
    }
  }
}
