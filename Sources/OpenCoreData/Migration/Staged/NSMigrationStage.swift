import Foundation

/// A step of a staged migration: `NSLightweightMigrationStage` or `NSCustomMigrationStage`.
open class NSMigrationStage: NSObject {
  /// Makes a stage without a label.
  public override init() { super.init() }

  /// A name for people, by which messages of a migration refer to the stage.
  open var label: String!

  /// The checksums of the versions that the stage leads through, in their order.
  var checksums: [String] { [] }

  /// How messages name the stage.
  final var name: String { label ?? "\(Swift.type(of: self)) \(checksums.joined(separator: " to "))" }
}
