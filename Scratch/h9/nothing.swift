import Dispatch
import Foundation
Task.detached { let c = ContinuousClock(); var g: [Double] = []; var l = c.now; for _ in 0..<300 { try? await Task.sleep(for: .milliseconds(1)); let n = c.now; g.append(l.duration(to: n) / .milliseconds(1)); l = n }; g.sort(); print("nothing p99", g[297], "worst", g.last!); exit(0) }
dispatchMain()
