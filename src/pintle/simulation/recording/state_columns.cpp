#include "pintle/simulation/recording/state_columns.h"

#include "pintle/simulation/recording/joint_columns.h"

namespace pintle {

std::vector<Column> state_columns(const Model& model) {
  std::vector<Column> columns = position_columns(model);
  for (const auto& more : {velocity_columns(model), acceleration_columns(model), effort_columns(model)})
    columns.insert(columns.end(), more.begin(), more.end());
  for (const char* const name : {"kinetic", "gravity", "springs", "stored", "total"})
    columns.push_back({std::string("energy.") + name, "J"});
  return columns;
}

}  // namespace pintle
