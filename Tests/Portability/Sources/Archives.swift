import CoreData

/// An archive is the first thing that a process sees of the framework. Foundation's unarchiver asks for the classes by their
/// names, before any code of the framework has run.
enum Archives {
  static let format = "title BEGINSWITH 'A' AND rank > 3"

  static func write(to file: URL) throws {
    let predicate = NSPredicate(format: format)
    try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true).write(to: file)
    print("wrote", predicate)
  }

  static func read(_ file: URL) throws {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(contentsOf: file))
    unarchiver.requiresSecureCoding = false
    let object = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    guard let predicate = object as? NSPredicate else {
      Portability.fail("no predicate: \(String(describing: object))")
    }
    Portability.expect(predicate == NSPredicate(format: format))
    print("read", predicate)
  }
}
