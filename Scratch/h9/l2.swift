import Foundation
import CDispatch
@inline(never) func isCoop() -> Bool { strcmp(dispatch_queue_get_label(nil), "Swift global concurrent queue") == 0 }
print(isCoop())
let s = DispatchSemaphore(value: 0)
Task.detached { print(isCoop()); s.signal() }
s.wait()
let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
print(text.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") } ?? "none")
