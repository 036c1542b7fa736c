// Shows how far a job is, and its result when it has ended.
export function listenToJobs() {
  const job = document.querySelector("[data-events]");
  if (!job) return;
  const text = job.querySelector("#job-text");
  const bar = job.querySelector("progress");
  const source = new EventSource(job.dataset.events);
  source.onmessage = (event) => {
    const { progress, hasEnded } = JSON.parse(event.data);
    text.textContent = progress.total > 0 ? `${progress.text}: ${progress.done.toLocaleString("en")} of ${progress.total.toLocaleString("en")}` : progress.text;
    if (progress.total > 0) {
      bar.max = progress.total;
      bar.value = progress.done;
    } else {
      bar.removeAttribute("value");
    }
    if (hasEnded) {
      source.close();
      location.reload();
    }
  };
}
