import Dispatch
print(CooperativeThreads.haveCaller, CooperativeThreads.count)
let s = DispatchSemaphore(value: 0)
Task.detached { print(CooperativeThreads.haveCaller); s.signal() }
s.wait()
