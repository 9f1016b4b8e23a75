// Shapes, meshes, materials, and the inertias made of them: the layer `geometry`.
#pragma once

#include "pintle/geometry/bounding_box.h"
#include "pintle/geometry/box.h"
#include "pintle/geometry/capsule.h"
#include "pintle/geometry/check_inertia.h"
#include "pintle/geometry/check_mesh.h"
#include "pintle/geometry/cone.h"
#include "pintle/geometry/cylinder.h"
#include "pintle/geometry/ellipsoid.h"
#include "pintle/geometry/mass_properties.h"
#include "pintle/geometry/material.h"
#include "pintle/geometry/plane.h"
#include "pintle/geometry/shape.h"
#include "pintle/geometry/sphere.h"
#include "pintle/geometry/triangle_mesh.h"
#include "pintle/geometry/volume_properties.h"
#include "pintle/geometry/weld_vertices.h"
