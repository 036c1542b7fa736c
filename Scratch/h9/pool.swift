import Dispatch
import Foundation
import Synchronization
@_silgen_name("dispatch_queue_get_label") func label(_ q: UnsafeRawPointer?) -> UnsafePointer<CChar>?
func cur() -> String { label(nil).map { String(cString: $0) } ?? "nil" }
let begun = Atomic<Int>(0)
nonisolated(unsafe) let stop = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
stop.pointee = false
let mode = CommandLine.arguments[1]
func hold(_ s: String) {
  begun.wrappingAdd(1, ordering: .relaxed)
  if mode == "block" { sleep(4) } else { let e = Date().addingTimeInterval(4); while Date() < e {} }
}
print("conf", sysconf(Int32(_SC_NPROCESSORS_CONF)), "onln", sysconf(Int32(_SC_NPROCESSORS_ONLN)), "active", ProcessInfo.processInfo.activeProcessorCount, "count", ProcessInfo.processInfo.processorCount)
print("main label", cur())
Task.detached { print("task label", cur()) }
Task.detached(priority: .low) { print("low label", cur()) }
Task { @MainActor in print("mainactor label", cur()) }
DispatchQueue.global().async { print("global label", cur()) }
Thread.detachNewThread { print("thread label", cur()); Task.immediate { print("immediate in thread", cur()) } }
actor A { func f() { print("actor label", cur()) } }
Task { await A().f() }
for i in 0..<16 { Task.detached { hold("m") } }
Thread.detachNewThread {
  for t in 1...6 { usleep(500_000); print("after", Double(t)/2, "begun", begun.load(ordering: .relaxed)) 
   if t == 1 { for i in 0..<16 { Task.detached(priority: .low) { hold("l") } } } }
  exit(0)
}
dispatchMain()
