/// The statements whose text does not depend on the rows that a save writes.
enum FixedStatement: Int, CaseIterable {
  case begin
  case commit
  case rollback
  case dataVersion
  case lastKey
  case moveLastKey

  var text: String {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .dataVersion: "PRAGMA data_version"
    case .lastKey: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?"
    case .moveLastKey: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX = ?"
    }
  }
}
