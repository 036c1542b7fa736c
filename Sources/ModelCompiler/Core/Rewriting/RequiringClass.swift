/// A class of which the framework itself creates objects, by calling a required initialiser.
enum RequiringClass {
  case object, coordinator, store
  /// A transformer or a migration policy, made without arguments.
  case plain

  /// - Parameter name: the framework's class.
  init?(_ name: String) {
    switch name {
    case "NSManagedObject": self = .object
    case "NSPersistentStoreCoordinator": self = .coordinator
    case "NSPersistentStore", "NSAtomicStore", "NSIncrementalStore": self = .store
    case "ValueTransformer", "NSSecureUnarchiveFromDataTransformer", "NSEntityMigrationPolicy": self = .plain
    default: return nil
    }
  }

  /// The text of the designated initialiser that only calls the one of the superclass.
  var inherited: String {
    switch self {
    case .object: "\(declaration) { super.init(entity: entity, insertInto: context) }"
    case .coordinator: "\(declaration) { super.init(managedObjectModel: model) }"
    case .store:
      "\(declaration) { super.init(persistentStoreCoordinator: root, configurationName: name, at: url, "
        + "options: options) }"
    case .plain: "\(declaration) { super.init() }"
    }
  }

  /// Returns the text of the initialiser for a class that has properties without a value: it stops the program, as
  /// Objective-C's run time does where such a class does not implement the initialiser.
  func unimplemented(in name: String) -> String {
    let signature =
      switch self {
      case .object: "init(entity:insertInto:)"
      case .coordinator: "init(managedObjectModel:)"
      case .store: "init(persistentStoreCoordinator:configurationName:at:options:)"
      case .plain: "init()"
      }
    return "\(declaration) { fatalError(\"Use of unimplemented initializer '\(signature)' for class '\(name)'\") }"
  }

  private var declaration: String {
    switch self {
    case .object: "required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?)"
    case .coordinator: "required init(managedObjectModel model: NSManagedObjectModel)"
    case .store:
      "required init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, "
        + "at url: URL, options: [AnyHashable: Any]?)"
    case .plain: "required init()"
    }
  }
}
