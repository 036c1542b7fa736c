import CoreData
import Foundation
import PerformanceTuning
import Synchronization

/// Reads 100 people with their values repeatedly: first while nothing else happens, then while another context saves 100,000
/// new people.
///
/// Prints the median wall time of one read in place of the CPU time, which would include the save. Each read is a block of its
/// own, begins at the latest commit, and finds its rows in the row cache.
func runReads(_ store: Store) throws {
  let stack = try store.openCopy()
  let expected = try read(in: stack.container.newBackgroundContext())
  let reader = stack.container.newBackgroundContext()
  let end = ContinuousClock.now + .milliseconds(500)
  try report("reads-idle", expected, try readings(in: reader, expected) { ContinuousClock.now < end })

  let writer = stack.container.newBackgroundContext()
  writer.performAndWait {
    for number in 0..<100_000 {
      let person = Person(context: writer)
      person.name = "new \(number)"
      person.rating = Int16(number % 100)
    }
  }
  let save = Save()
  let thread = Thread {
    save.state.store(1, ordering: .sequentiallyConsistent)
    let isSaved = writer.performAndWait { (try? writer.save()) != nil }
    save.state.store(isSaved ? 2 : 3, ordering: .sequentiallyConsistent)
  }
  thread.start()
  while save.state.load(ordering: .sequentiallyConsistent) == 0 { usleep(10) }
  let times = try readings(in: reader, expected) { save.state.load(ordering: .sequentiallyConsistent) == 1 }
  while save.state.load(ordering: .sequentiallyConsistent) == 1 { usleep(10) }
  guard save.state.load(ordering: .sequentiallyConsistent) == 2 else {
    throw WorkloadError(description: "reads: the save failed")
  }
  try report("reads-beside-save", expected, times)
  guard try stack.loadedSize().people == SampleSize().people + 100_000 else {
    throw WorkloadError(description: "reads: the save did not save everybody")
  }
  try stack.close()
  try store.remove(store.scratch)
}

/// The state of the save: 0 is not begun, 1 running, 2 done, 3 failed.
private final class Save: Sendable {
  let state = Atomic(0)
}

/// Returns the sum of the ratings of the first 100 people.
private func read(in context: NSManagedObjectContext) throws -> Int {
  try context.performAndWait {
    let request = Person.fetchRequest() as NSFetchRequest<Person>
    request.fetchLimit = 100
    request.returnsObjectsAsFaults = false
    return try context.fetch(request).reduce(0) { $0 + Int($1.rating) }
  }
}

/// Returns the milliseconds of each read, as long as `goesOn` returns true.
private func readings(
  in context: NSManagedObjectContext, _ expected: Int, while goesOn: () -> Bool
) throws -> [Double] {
  let clock = ContinuousClock()
  var times: [Double] = []
  while goesOn() {
    let start = clock.now
    let answer = try read(in: context)
    times.append(start.duration(to: clock.now) / .milliseconds(1))
    guard answer == expected else { throw WorkloadError(description: "reads: \(answer), not \(expected)") }
  }
  return times
}

private func report(_ name: String, _ answer: Int, _ times: [Double]) throws {
  guard times.count >= 100 else { throw WorkloadError(description: "\(name): only \(times.count) reads") }
  let median = times.sorted()[times.count / 2]
  print(name, String(format: "%.6f %.6f", median, median), times.count, answer, "0 0 0")
  FileHandle.standardError.write(
    Data("\(name): \(times.count) reads, \(String(format: "%.3f", times.max() ?? 0)) ms at most\n".utf8))
}
