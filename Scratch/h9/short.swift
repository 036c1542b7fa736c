import CoreData
import Foundation
let model = NSManagedObjectModel()
let e = NSEntityDescription(); e.name = "Page"
model.entities = [e]
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
func make() -> NSManagedObjectContext { let c = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType); c.persistentStoreCoordinator = coordinator; return c }
let mode = CommandLine.arguments[1], n = Int(CommandLine.arguments[2])!
func cpu() -> Double { var u = rusage(); getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &u); return Double(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 + Double(u.ru_utime.tv_usec + u.ru_stime.tv_usec) }
let parallel = mode == "short" || mode == "throwing" || mode == "queue" ? 1 : Int(mode)!
let group = DispatchGroup()
let start = ContinuousClock.now, before = cpu()
for _ in 0..<parallel {
  group.enter()
  let context = make()
  Task.detached {
    var sum = 0
    if mode == "throwing" {
      for i in 0..<n { sum &+= try await context.perform { () throws -> Int in i } }
    } else if mode == "queue" {
      for i in 0..<n { sum &+= await { @MainActor in await context.perform { i } }() }
    } else {
      for i in 0..<n { sum &+= await context.perform { i } }
    }
    if sum == 1 { print(sum) }
    group.leave()
  }
}
if mode == "queue" { group.notify(queue: .main) { fin() ; exit(0) }; dispatchMain() }
group.wait()
func fin() {
let wall = start.duration(to: .now) / .microseconds(1)
print(mode, "wall us", wall / Double(n), "cpu us per block", (cpu() - before) / Double(n * parallel))
}
fin()
