#if compiler(<6.3)
  import CRuntime
  import Synchronization

  /// A class in generated code that registers a module's classes, key paths and models.
  ///
  /// Since Swift 6.3 generated code has a function in its place that runs when the program is loaded. Before, the attributes for
  /// such a function are an experimental feature of the target that has the code.
  public protocol _ModuleRegistration {
    /// Registers what the module has. The framework calls it once, on any thread.
    static func register()
  }

  /// The modules whose generated code has been called.
  private struct RegisteredModules {
    /// How many executables and libraries the Swift run time knew when the last ones were looked at.
    var images = 0
    /// The addresses of the classes' descriptions.
    var registered: Set<UnsafeRawPointer> = []

    static let shared = Mutex(RegisteredModules())

    mutating func readNew() {
      var count = 0
      runtime_swift_images(
        { _, count in
          count?.assumingMemoryBound(to: Int.self).pointee += 1
          return true
        }, &count)
      guard count != images else { return }
      images = count
      withUnsafeMutablePointer(to: &self) { modules in
        runtime_swift_images(
          { image, modules in
            runtime_named_types(image, "_CoreDataRegistration", modules) { modules, description, type in
              modules?.assumingMemoryBound(to: RegisteredModules.self).pointee.register(type, description)
            }
            return true
          }, modules)
      }
    }

    private mutating func register(_ type: UnsafeRawPointer, _ description: UnsafeRawPointer) {
      guard let type = unsafeBitCast(type, to: Any.Type.self) as? any _ModuleRegistration.Type else { return }
      if registered.insert(description).inserted { type.register() }
    }
  }

  /// Has all modules that are loaded by now register what they have. Whatever looks for something that generated code may have
  /// registered calls it before, while it holds no lock that registering takes.
  package func readModuleRegistrations() {
    RegisteredModules.shared.withLock { $0.readNew() }
  }
#else
  /// Does nothing: since Swift 6.3 generated code has run when the program was loaded.
  @_alwaysEmitIntoClient @_transparent package func readModuleRegistrations() {}
#endif
