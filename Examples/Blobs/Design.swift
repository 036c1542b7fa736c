import CoreData

/// Where the bytes of a picture are.
enum Design: String, CaseIterable, Codable {
  /// An attribute of the picture's entity: the bytes are in the picture's row.
  case inline
  /// An attribute that "Allows External Storage": what has more than 100 kB is a file that Core Data keeps.
  case external
  /// An attribute of an entity of its own, behind a to-one relationship.
  case entity
  /// A file that the program keeps; the picture has its name.
  case files

  var title: String {
    switch self {
    case .inline: "in the row"
    case .external: "external storage"
    case .entity: "own entity"
    case .files: "files beside"
    }
  }

  /// The class of the pictures, which is named as their entity and their model are.
  var pictureClass: (NSManagedObject & Picture).Type {
    switch self {
    case .inline: InlinePicture.self
    case .external: ExternalPicture.self
    case .entity: SplitPicture.self
    case .files: FiledPicture.self
    }
  }

  /// The name of the pictures' entity.
  var entityName: String { "\(pictureClass)" }
}
