// Every page can be read without this; each module adds one thing.
import { listenToJobs } from "./jobs.js";
import { completePredicates } from "./predicate.js";
import { chooseColumns } from "./columns.js";
import { scrollRows } from "./rows.js";
import { showLocalTimes } from "./times.js";
import { showRunning } from "./running.js";
import { showRecordings } from "./recordings.js";

listenToJobs();
completePredicates();
chooseColumns();
scrollRows();
showLocalTimes(document);
showRecordings();
showRunning();
document.documentElement.dataset.ready = "yes";
