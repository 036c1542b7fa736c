/// The pieces of work that are measured, in their order.
enum Work: String, CaseIterable, Codable {
  case insert
  case titles
  case titlesInBatches
  case titlesAlone
  case thumbnails
  case open
  case rename
  case backUp
  case copy
  case delete

  var title: String {
    switch self {
    case .insert: "save all"
    case .titles: "list: all objects"
    case .titlesInBatches: "list: in batches of \(PictureList.screen)"
    case .titlesAlone: "list: titles alone"
    case .thumbnails: "list with thumbnails"
    case .open: "open \(PictureList.screen) pictures"
    case .rename: "\(PictureList.screen) titles, a save each"
    case .backUp: "backup"
    case .copy: "replacePersistentStore"
    case .delete: "delete half, one save"
    }
  }

  /// The work on a list; nil for what is done with the whole store.
  var onList: ((PictureList) -> () throws -> PictureList.Found)? {
    switch self {
    case .titles: PictureList.titles
    case .titlesInBatches: PictureList.titlesInBatches
    case .titlesAlone: PictureList.titlesAlone
    case .thumbnails: PictureList.thumbnails
    case .open: PictureList.open
    case .rename: PictureList.rename
    case .delete: PictureList.delete
    case .insert, .backUp, .copy: nil
    }
  }
}
