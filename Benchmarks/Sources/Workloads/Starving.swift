import CoreData
import Foundation
import PerformanceTuning
import Synchronization

/// Measures how long an unrelated task waits for a thread while blocks of contexts compute or wait.
///
/// A detached task sleeps for a millisecond again and again. The time from one awakening to the next is a gap. The 99th
/// percentile of the gaps and the longest one are printed in place of CPU milliseconds: beside plain dispatch queues, beside
/// as many contexts whose blocks do the same, and beside contexts whose blocks wait.
func runStarving(_ store: Store) throws {
  try store.remove(store.scratch)
  let stack = try PerformanceStack(url: store.scratch)
  try reportGaps("starving-nothing") { _ in usleep(500_000) }
  let spin = Spin(milliseconds: 200)
  for count in [4, 16, 64] {
    let rounds = max(1, 16 / count)
    try reportGaps("starving-queues-\(count)") { group in
      for _ in 0..<count {
        let queue = DispatchQueue(label: "starving")
        for _ in 0..<rounds { queue.async(group: group) { spin.run() } }
      }
    }
    try reportGaps("starving-contexts-\(count)") { group in
      for _ in 0..<count { awaitBlocks(rounds, in: stack.container.newBackgroundContext(), group) { spin.run() } }
    }
  }
  for count in [4, 16, 64] {
    try reportGapsBesideLock("starving-lock-\(count)", count, stack)
    try reportGapsBesideServer("starving-server-\(count)", count)
    try reportGapsBesideSave("starving-busy-store-\(count)", count, stack, store.scratch)
  }
  try stack.close()
  try store.remove(store.scratch)
}

/// Awaits blocks of a context one after another, in a task of their own.
private func awaitBlocks(
  _ count: Int, in context: NSManagedObjectContext, _ group: DispatchGroup, _ block: @escaping @Sendable () -> Void
) {
  group.enter()
  Task.detached {
    for _ in 0..<count { await context.perform { block() } }
    group.leave()
  }
}

/// All blocks wait for a lock that another thread holds for half a second.
private func reportGapsBesideLock(_ name: String, _ count: Int, _ stack: PerformanceStack) throws {
  let lock = NSLock()
  try reportGaps(name) { group in
    group.enter()
    let isHeld = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      lock.withLock {
        isHeld.signal()
        usleep(500_000)
      }
      group.leave()
    }
    isHeld.wait()
    for _ in 0..<count { awaitBlocks(1, in: stack.container.newBackgroundContext(), group) { lock.withLock {} } }
  }
}

/// All blocks fetch from a store that takes a tenth of a second for its answer.
private func reportGapsBesideServer(_ name: String, _ count: Int) throws {
  NSPersistentStoreCoordinator.registerStoreClass(SlowStore.self, forStoreType: SlowStore.type)
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SlowStore.model)
  try coordinator.addPersistentStore(ofType: SlowStore.type, configurationName: nil, at: nil)
  try reportGaps(name) { group in
    for _ in 0..<count {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      awaitBlocks(5, in: context, group) {
        _ = try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Page"))
      }
    }
  }
}

/// All blocks save one object, while another coordinator's transaction writes 50,000.
private func reportGapsBesideSave(_ name: String, _ count: Int, _ stack: PerformanceStack, _ url: URL) throws {
  let other = try PerformanceStack(url: url)
  let writer = other.container.newBackgroundContext()
  writer.performAndWait {
    for number in 0..<50_000 { Person(context: writer).name = "of the large save, \(number)" }
  }
  try reportGaps(name) { group in
    group.enter()
    Thread.detachNewThread {
      writer.performAndWait { _ = try? writer.save() }
      group.leave()
    }
    for _ in 0..<count {
      let context = stack.container.newBackgroundContext()
      awaitBlocks(5, in: context, group) {
        Person(context: context).name = "of a small save"
        _ = try? context.save()
      }
    }
  }
  try other.close()
}

/// Prints the gaps of a ticker while the work that `begin` has added to the group goes on.
private func reportGaps(_ name: String, _ begin: (DispatchGroup) throws -> Void) throws {
  let ticker = Ticker()
  ticker.start()
  let group = DispatchGroup()
  try begin(group)
  group.wait()
  let gaps = ticker.stop().sorted()
  guard let worst = gaps.last else { throw WorkloadError(description: "\(name): the ticker has never ticked") }
  report("\(name)-99", cpu: gaps[gaps.count * 99 / 100], answer: gaps.count)
  report("\(name)-worst", cpu: worst, answer: gaps.count)
}

/// A task that sleeps for a millisecond again and again, and notes when it wakes up.
private final class Ticker: Sendable {
  private let isStopped = Atomic<Bool>(false)
  private let gaps = Mutex<[Double]>([])
  private let hasBegun = DispatchSemaphore(value: 0), hasEnded = DispatchSemaphore(value: 0)

  func start() {
    Task.detached {
      let clock = ContinuousClock()
      self.hasBegun.signal()
      var last = clock.now
      while !self.isStopped.load(ordering: .acquiring) {
        try? await Task.sleep(for: .milliseconds(1))
        let now = clock.now
        self.gaps.withLock { $0.append(last.duration(to: now) / .milliseconds(1)) }
        last = now
      }
      self.hasEnded.signal()
    }
    hasBegun.wait()
  }

  /// Returns the gaps in milliseconds, after the last one has ended.
  func stop() -> [Double] {
    isStopped.store(true, ordering: .releasing)
    hasEnded.wait()
    return gaps.withLock { $0 }
  }
}

/// Work that takes the processor for a certain time if nothing else does.
private struct Spin: Sendable {
  private let steps: Int
  private let sum: UInt64

  init(milliseconds: Double) {
    let trial = 20_000_000
    let before = Sample.threadCPU
    guard Spin.sum(trial) > 0 else { fatalError("All numbers are 0.") }
    steps = Int(Double(trial) * milliseconds / (Sample.threadCPU - before))
    sum = Spin.sum(steps)
  }

  /// The result is compared, because the optimiser would leave out work whose result nobody sees.
  func run() {
    guard Spin.sum(steps) == sum else { fatalError("The same numbers have another sum.") }
  }

  @inline(never)
  private static func sum(_ steps: Int) -> UInt64 {
    var numbers = XorShift(seed: 1)
    var sum: UInt64 = 0
    for _ in 0..<steps { sum &+= UInt64(numbers.next()) }
    return sum
  }
}

/// A store whose every answer takes a tenth of a second, as if it came from far away.
private final class SlowStore: NSIncrementalStore, @unchecked Sendable {  // has no state of its own
  static let type = "SlowStore"

  static var model: NSManagedObjectModel {
    let page = NSEntityDescription()
    page.name = "Page"
    let model = NSManagedObjectModel()
    model.entities = [page]
    return model
  }

  override func loadMetadata() throws {
    metadata = [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: Self.type]
  }

  override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    usleep(100_000)
    return [0]
  }
}
