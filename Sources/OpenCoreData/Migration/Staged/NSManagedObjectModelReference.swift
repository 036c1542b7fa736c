import Foundation
import OpenCocoaFoundation
import Synchronization

/// A version of a model with its checksum, by which a staged migration recognises the version of a store.
///
/// The model is looked for when it is first needed.
open class NSManagedObjectModelReference: NSObject {
  /// Where the model is.
  enum Place {
    case model(NSManagedObjectModel)
    case file(URL)
    case named(String, Bundle?)
    case hashes([String: Data], Bundle?)
  }

  private let place: Place
  private let found = Mutex<NSManagedObjectModel?>(nil)

  /// The checksum of the version, as `NSManagedObjectModel.versionChecksum` gives it and as a `.momd` states it.
  public final let versionChecksum: String

  /// Refers to a model.
  public init(model: NSManagedObjectModel, versionChecksum: String) {
    place = .model(model)
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// Refers to the model in a file, or to the version with the checksum in a folder of versions.
  public init(fileURL: URL, versionChecksum: String) {
    place = .file(fileURL)
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// Refers to the model with some entity version hashes, of any version of the models in a bundle.
  ///
  /// - Parameters:
  ///   - versionHash: The version hash of each entity, by its name.
  ///   - bundle: The bundle; for nil the main bundle and the places that `NSPersistentContainer(name:)` looks in.
  ///   - versionChecksum: The checksum of the version.
  public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
    var hashes: [String: Data] = [:]
    for (name, hash) in versionHash {
      if let name = name.base as? String, let hash = hash as? Data { hashes[name] = hash }
    }
    place = .hashes(hashes, bundle)
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// Refers to a model of a bundle by the name of the model or of a version of it.
  ///
  /// - Parameters:
  ///   - modelName: The name of the version's file, or of the folder of versions, without its extension.
  ///   - bundle: The bundle; for nil the main bundle and the places that `NSPersistentContainer(name:)` looks in.
  ///   - versionChecksum: The checksum of the version.
  public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    place = .named(modelName, bundle)
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// The model. If it is not found, or has another checksum, the program stops.
  open var resolvedModel: NSManagedObjectModel {
    do {
      return try resolve()
    } catch {
      raise(.internalInconsistency, error.localizedDescription)
    }
  }

  /// Returns the model, which is searched for once.
  /// - Throws: 134504 (NSManagedObjectModelReferenceNotFoundError) if there is no model with the checksum.
  final func resolve() throws -> NSManagedObjectModel {
    if let model = found.withLock({ $0 }) { return model }
    let candidates = ModelReferenceSearch.candidates(place)
    guard let model = candidates.first(where: { $0.versionChecksum == versionChecksum }) else {
      let checksums = candidates.map(\.versionChecksum).joined(separator: ", ")
      let others =
        candidates.isEmpty ? ModelReferenceSearch.known(place) : " The checksums there are \(checksums)."
      throw NSError(
        coreData: NSManagedObjectModelReferenceNotFoundError,
        "There is no model with the version checksum \(versionChecksum) \(ModelReferenceSearch.text(place)).\(others)")
    }
    return found.withLock { known in
      known = known ?? model
      return known ?? model
    }
  }

  /// The checksum.
  open override var description: String { "(<NSManagedObjectModelReference>) versionChecksum \(versionChecksum)" }
}
