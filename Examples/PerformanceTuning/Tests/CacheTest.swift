import CoreData

/// Loads and reads everything twice: first with nothing in memory, then with everything in memory. Tells how many bytes an
/// object without values takes.
public struct CacheTest: PerfTest {
  public let name = "Cache"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      // Apple's framework has no way to empty the row cache; this method is OpenCoreData's own.
      context.persistentStoreCoordinator?.emptyRowCache()
      let cold = try Stopwatch.time { try load(in: context) }
      let warm = try Stopwatch.time { try load(in: context) }
      try expect(cold.result.names == warm.result.names, "\(cold.result.names) cold, \(warm.result.names) warm")
      return withExtendedLifetime(cold.result.selfies) {
        "Cold \(Stopwatch.text(cold.seconds)), warm \(Stopwatch.text(warm.seconds)), "
          + "\(Stopwatch.times(cold.seconds, warm.seconds)) faster: \(warm.result.names); "
          + "an object without values takes \(bytesOfEmptyObject(in: context)) bytes"
      }
    }
  }

  /// The bytes of a Person that has no values and is in no context. Where it has some, these are in one more block.
  ///
  /// Swift's Glibc module has not the C library's `malloc_usable_size`, so that it is looked up by its name.
  private func bytesOfEmptyObject(in context: NSManagedObjectContext) -> Int {
    typealias UsableSize = @convention(c) (UnsafeMutableRawPointer?) -> Int
    guard let entity = NSEntityDescription.entity(forEntityName: "Person", in: context),
      let function = dlsym(dlopen(nil, RTLD_NOW), "malloc_usable_size")
    else { return 0 }
    let size = unsafeBitCast(function, to: UsableSize.self)
    let person = Person(entity: entity, insertInto: nil)
    return withExtendedLifetime(person) { size(Unmanaged.passUnretained(person).toOpaque()) }
  }

  // The selfies are returned so that the caller can keep them in memory.
  private func load(in context: NSManagedObjectContext) throws -> (selfies: [Selfie], names: NamesRead) {
    let request: NSFetchRequest<Selfie> = Selfie.fetchRequest()
    let selfies = try context.fetch(request)
    var names = NamesRead()
    try names.readAll(selfies)
    return (selfies, names)
  }
}
